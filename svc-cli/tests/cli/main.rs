//! The program as people and agents run it.
