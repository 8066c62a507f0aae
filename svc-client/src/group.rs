//! The two patterns of the named methods.

/// Declares a group of named methods: a borrowed handle, and the method of the client that gives
/// it.
macro_rules! group {
    ($(#[doc = $doc:literal])+ $name:ident by $method:ident) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug)]
        pub struct $name<'a>(&'a $crate::Client);

        impl $crate::Client {
            $(#[doc = $doc])+
            ///
            /// ```
            /// # fn show(svc: &svc_client::Client) {
            #[doc = concat!("let ", stringify!($method), " = svc.", stringify!($method), "();")]
            /// # }
            /// ```
            pub fn $method(&self) -> $name<'_> {
                $name(self)
            }
        }
    };
}
pub(crate) use group;

/// Declares methods for optional members: `name(argument) => member`.
macro_rules! optional {
    ($($endpoint:ty {
        $($(#[doc = $doc:literal])+ $name:ident($argument:ty) => $member:ident;)+
    })+) => {$(
        impl $crate::Call<$endpoint> {
            $($(#[doc = $doc])+
            pub fn $name(mut self, value: $argument) -> Self {
                self.request.$member = Some(value.into());
                self
            })+
        }
    )+};
}
pub(crate) use optional;
