//! What the suites over the whole product share: the reference evaluator, the programs it is held against, and the score
//! on real reports.

pub mod reference;
pub mod program;
pub mod random;
pub mod world;
pub mod agreement;
pub mod score;
