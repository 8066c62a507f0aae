//! Query plans.
