//! What a page or a hand at the table asks of a battle: what is seen, what an answer would come to, which answer is
//! nearest to a wish. No rule in it.

mod courses;
mod facts;
pub(crate) mod preview;
pub(crate) mod route;
mod sight_between;
mod steer;
mod steer_deploy;
mod view;
