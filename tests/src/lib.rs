//! What the suites over the whole product share: the reference evaluator, the programs it is held against, and the score
//! on real reports.

pub mod agreement;
pub mod program;
pub mod random;
pub mod reference;
pub mod reported;
pub mod score;
pub mod world;
