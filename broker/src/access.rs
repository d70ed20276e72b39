//! The question of who may do what, as the broker asks it. The answers are the caller's.

use std::net::IpAddr;

/// MQTT 5 user property in which a delivered message names the user who published it, to those who
/// are to know ([`Access::is_host`]).
///
/// To them the broker says it itself, and passes on nothing that a client put there: it cannot be
/// forged. Messages of guests carry none.
pub const SENDER_PROPERTY: &str = "x-mqtt-sender";

/// Someone the broker has let in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Principal {
    /// Came without a name.
    Guest,
    /// Came with this name and the password that goes with it.
    User(String),
}

impl Principal {
    pub(crate) fn name(&self) -> Option<&str> {
        match self {
            Self::Guest => None,
            Self::User(name) => Some(name),
        }
    }
}

/// Decides who comes in, and what each may publish, ask for and receive.
///
/// The answers may change while clients are connected: every question is asked anew.
pub trait Access: Send + Sync + 'static {
    /// Who is this, coming from there? `None` refuses the connection.
    ///
    /// Asked on a thread where blocking is allowed, by at most two clients at a time and one of
    /// each address, when a user name was given; so a deliberately slow password hash is welcome
    /// here.
    fn authenticate(
        &self,
        from: IpAddr,
        user: Option<&str>,
        password: Option<&[u8]>,
    ) -> Option<Principal>;

    /// Whether the password of this name is checked quickly. Such a client does not wait for a
    /// turn, so strangers who guess passwords cannot delay it.
    fn is_quick(&self, _user: &str) -> bool {
        false
    }

    /// May this message be published? Asked for wills too, when they fall due.
    fn may_publish(&self, who: &Principal, topic: &str) -> bool;

    /// May this filter be subscribed to? A yes promises no message: see [`Access::may_read`].
    fn may_subscribe(&self, who: &Principal, filter: &str) -> bool;

    /// May a message on this topic be delivered? Asked for each message and receiver.
    fn may_read(&self, who: &Principal, topic: &str) -> bool;

    /// Is this the one whom the broker is run for? He, and nobody else, is told who sent a message,
    /// in [`SENDER_PROPERTY`]; and what he retains has room of its own, which nobody can fill.
    fn is_host(&self, who: &Principal) -> bool;
}
