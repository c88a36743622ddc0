//! A compiled ruleset as bytes: what the program with its bundled packs starts from, instead of parsing them each time.
//!
//! An image is a row of sections, each its length and its bytes, at multiples of eight bytes. Tables are used where
//! they lie; what is small is decoded at once; the items of a [`List`] when they are asked for. An image is made for
//! machines of one byte order and for one version of this crate, by the program it is built into: nothing else reads it.

use std::borrow::Cow;
use std::fmt;

use bytemuck::{AnyBitPattern, NoUninit};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::list::List;

/// What an image begins with; another byte order reads other numbers.
const MAGIC: [u64; 2] = [0x6567_616d_6920_6372, 1];
/// Sections begin at multiples of so many bytes.
const ALIGNMENT: usize = 8;

/// A table that lies in an image, or was made in this run.
pub(crate) type Flat<T> = Cow<'static, [T]>;

/// Bytes that are no image of this version for this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImageError;

impl fmt::Display for ImageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this is no image of rules of this version for this kind of machine; compile the rules instead")
    }
}

impl std::error::Error for ImageError {}

/// Writes an image.
pub(crate) struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    pub(crate) fn new() -> Self {
        let mut writer = Self { bytes: Vec::new() };
        writer.flat(&MAGIC);
        writer.bytes(env!("CARGO_PKG_VERSION").as_bytes());
        writer
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        self.bytes
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend((bytes.len() as u64).to_ne_bytes());
        self.bytes.extend(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(ALIGNMENT), 0);
    }

    pub(crate) fn flat<T: NoUninit>(&mut self, table: &[T]) {
        self.bytes(bytemuck::cast_slice(table));
    }

    pub(crate) fn value<T: Serialize>(&mut self, value: &T) {
        self.bytes(&encoded(value));
    }

    pub(crate) fn list<T: Serialize>(&mut self, list: &List<T>) {
        let mut bytes = Vec::new();
        let mut starts = vec![0];
        for item in list.iter() {
            bytes.extend(encoded(item));
            starts.push(u32::try_from(bytes.len()).unwrap_or(u32::MAX));
        }
        self.flat(&starts);
        self.bytes(&bytes);
    }
}

/// Values of this crate can all be encoded; the test that compares images with fresh rulesets would show one that cannot.
fn encoded<T: Serialize>(value: &T) -> Vec<u8> {
    postcard::to_allocvec(value).unwrap_or_default()
}

/// Reads an image: in the order in which it was written.
pub(crate) struct Reader {
    rest: &'static [u8],
}

type Read<T> = Result<T, ImageError>;

impl Reader {
    pub(crate) fn new(image: &'static [u8]) -> Read<Self> {
        let mut reader = Self { rest: image };
        let same = reader.flat::<u64>()?[..] == MAGIC && reader.bytes()? == env!("CARGO_PKG_VERSION").as_bytes();
        if same { Ok(reader) } else { Err(ImageError) }
    }

    pub(crate) fn bytes(&mut self) -> Read<&'static [u8]> {
        let (length, rest) = self.rest.split_first_chunk().ok_or(ImageError)?;
        let length = usize::try_from(u64::from_ne_bytes(*length)).map_err(|_| ImageError)?;
        let bytes = rest.get(..length).ok_or(ImageError)?;
        self.rest = rest.get(length.next_multiple_of(ALIGNMENT)..).ok_or(ImageError)?;
        Ok(bytes)
    }

    pub(crate) fn flat<T: AnyBitPattern>(&mut self) -> Read<Flat<T>> {
        bytemuck::try_cast_slice(self.bytes()?).map(Cow::Borrowed).map_err(|_| ImageError)
    }

    pub(crate) fn value<T: DeserializeOwned>(&mut self) -> Read<T> {
        postcard::from_bytes(self.bytes()?).map_err(|_| ImageError)
    }

    pub(crate) fn list<T: DeserializeOwned>(&mut self) -> Read<List<T>> {
        let starts = self.flat::<u32>()?;
        let bytes = self.bytes()?;
        let length = starts.len().checked_sub(1).ok_or(ImageError)?;
        let part = move |index: usize| bytes.get(*starts.get(index)? as usize..*starts.get(index + 1)? as usize);
        Ok(List::later(length, move |index| postcard::from_bytes(part(index)?).ok()))
    }
}
