//! What a client's packets do: answers, subscriptions, messages. No socket, no waiting.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use mqtt_protocol_core::mqtt::packet::Qos;
use mqtt_protocol_core::mqtt::result_code::{
    DisconnectReasonCode as Reason, PubackReasonCode, PubrecReasonCode, SubackReasonCode,
    UnsubackReasonCode,
};
use tokio::time::Instant;

use crate::access::Principal;
use crate::codec::{Inbound, Publish, Subscribe, Version, Wish};
use crate::filter;
use crate::hub::Hub;
use crate::limits;
use crate::message::Message;
use crate::outbox::Outbox;
use crate::session::{Next, Session, Terms};
use crate::subscriptions::{Options, Refused};
use crate::time;

/// How a connection ends.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// We end it, and say why if there are words for it.
    Said(Reason),
    /// The client has taken its leave.
    Left { with_will: bool, expiry: Option<u32> },
    /// It is not there any more.
    Gone,
}

/// One client's side of the hub.
pub(crate) struct Exchange {
    pub hub: Arc<Hub>,
    pub who: Principal,
    pub version: Version,
    pub session: Session,
    pub outbox: Outbox,
    /// Messages that may be unacknowledged.
    pub window: usize,
    /// How long the session may outlive the connection, in seconds.
    pub expiry: u32,
    /// What the client's topic aliases stand for.
    pub aliases: BTreeMap<u16, String>,
    /// When something was acknowledged, if more is to be.
    pub acknowledged: Instant,
}

impl Exchange {
    /// Takes one packet.
    pub(crate) fn take(&mut self, inbound: Inbound) -> Result<(), End> {
        match inbound {
            Inbound::Publish(publish) => self.publish(publish)?,
            Inbound::Puback(id) | Inbound::Pubcomp(id) | Inbound::Pubrec { id, refused: true } => {
                if self.session.acknowledged(id) {
                    self.acknowledged = time::now();
                }
            }
            Inbound::Pubrec { id, refused: false } => {
                if self.session.half_acknowledged(id) {
                    self.acknowledged = time::now();
                }
                self.outbox.pubrel(id);
            }
            Inbound::Pubrel(id) => {
                self.session.released(id);
                self.outbox.pubcomp(id);
            }
            Inbound::Subscribe(subscribe) => self.subscribe(subscribe),
            Inbound::Unsubscribe { id, filters } => self.unsubscribe(id, &filters),
            Inbound::Ping => self.outbox.pingresp(),
            Inbound::Disconnect { expiry: Some(seconds), .. }
                if self.expiry == 0 && seconds > 0 =>
            {
                return Err(End::Said(Reason::ProtocolError));
            }
            Inbound::Disconnect { with_will, expiry } => {
                return Err(End::Left { with_will, expiry });
            }
        }
        Ok(())
    }

    fn publish(&mut self, publish: Publish) -> Result<(), End> {
        let topic = self.topic(&publish)?;
        let (qos, id) = (publish.qos, publish.id);
        if !self.hub.access.may_publish(&self.who, &topic) {
            self.refuse(qos, id, PubackReasonCode::NotAuthorized);
            return Ok(());
        }
        if qos == Qos::ExactlyOnce {
            match self.session.receive(id) {
                Ok(true) => {}
                Ok(false) => {
                    self.outbox.pubrec(id, PubrecReasonCode::Success);
                    return Ok(());
                }
                Err(()) => return Err(End::Said(Reason::ReceiveMaximumExceeded)),
            }
        }
        let expires = publish.expiry.map(|it| time::now() + Duration::from_secs(it.into()));
        let message = Message {
            topic: topic.into(),
            payload: publish.payload,
            properties: publish.properties,
            qos,
            retain: publish.retain,
            expires,
            origin: Arc::clone(&self.session.id),
            sender: self.who.name().map(Arc::from),
            of_host: self.hub.access.is_host(&self.who),
        };
        match self.hub.publish(message) {
            Err(_) => self.refuse(qos, id, PubackReasonCode::QuotaExceeded),
            Ok(()) if qos == Qos::AtLeastOnce => self.outbox.puback(id, PubackReasonCode::Success),
            Ok(()) if qos == Qos::ExactlyOnce => self.outbox.pubrec(id, PubrecReasonCode::Success),
            Ok(()) => {}
        }
        Ok(())
    }

    fn topic(&mut self, publish: &Publish) -> Result<String, End> {
        let Some(alias) = publish.alias else { return Ok(publish.topic.clone()) };
        let most = if self.who == Principal::Guest { 0 } else { limits::TOPIC_ALIASES };
        if alias == 0 || alias > most {
            return Err(End::Said(Reason::TopicAliasInvalid));
        }
        if !publish.topic.is_empty() {
            self.aliases.insert(alias, publish.topic.clone());
        }
        self.aliases.get(&alias).cloned().ok_or(End::Said(Reason::TopicAliasInvalid))
    }

    /// 3.1.1 has no words for it: there a refused message seems to arrive.
    fn refuse(&mut self, qos: Qos, id: u16, code: PubackReasonCode) {
        match qos {
            Qos::AtMostOnce => {}
            Qos::AtLeastOnce => self.outbox.puback(id, code),
            Qos::ExactlyOnce => {
                self.session.released(id);
                let code = PubrecReasonCode::try_from(code as u8);
                self.outbox.pubrec(id, code.unwrap_or(PubrecReasonCode::UnspecifiedError));
            }
        }
    }

    fn subscribe(&mut self, subscribe: Subscribe) {
        let since = self.hub.log().newest();
        let mut codes = Vec::new();
        for wish in subscribe.filters {
            codes.push(self.subscribe_one(&wish, subscribe.identifier, since));
        }
        self.outbox.suback(subscribe.id, codes);
    }

    fn subscribe_one(
        &mut self,
        wish: &Wish,
        identifier: Option<u32>,
        since: u64,
    ) -> SubackReasonCode {
        if wish.filter.starts_with("$share/") {
            return SubackReasonCode::SharedSubscriptionsNotSupported;
        }
        if !filter::is_filter(&wish.filter) {
            return SubackReasonCode::TopicFilterInvalid;
        }
        if !self.hub.access.may_subscribe(&self.who, &wish.filter) {
            return SubackReasonCode::NotAuthorized;
        }
        let options = Options {
            qos: wish.qos,
            no_local: wish.no_local,
            retain_as_published: wish.retain_as_published,
            identifier,
            since,
        };
        match self.session.subscribe(&wish.filter, options, wish.handling) {
            Ok(()) => match wish.qos {
                Qos::AtMostOnce => SubackReasonCode::GrantedQos0,
                Qos::AtLeastOnce => SubackReasonCode::GrantedQos1,
                Qos::ExactlyOnce => SubackReasonCode::GrantedQos2,
            },
            Err(Refused::TooDeep | Refused::TooMany) => SubackReasonCode::QuotaExceeded,
        }
    }

    fn unsubscribe(&mut self, id: u16, filters: &[String]) {
        let codes = filters.iter().map(|filter| match self.session.unsubscribe(filter) {
            true => UnsubackReasonCode::Success,
            false => UnsubackReasonCode::NoSubscriptionExisted,
        });
        let codes = codes.collect();
        self.outbox.unsuback(id, codes);
    }

    /// Puts into the outbox what the client is to be sent, as far as there is room. Adds to `work`
    /// what that takes.
    pub(crate) fn fill(&mut self, work: &mut Duration) -> Result<Filled, End> {
        let (hub, who) = (Arc::clone(&self.hub), self.who.clone());
        let may_read = |topic: &str| {
            let may = hub.access.may_read(&who, topic);
            if !may {
                hub.counts.withheld.fetch_add(1, Ordering::Relaxed);
            }
            may
        };
        let now = time::now();
        let terms = Terms { now, window: self.window, may_read: &may_read };
        let log = hub.log();
        if self.session.listens() && !log.reaches_back_to(self.session.place()) {
            return Err(End::Said(Reason::QuotaExceeded));
        }
        let mut looks = limits::LOOKS_AT_ONCE;
        while self.outbox.has_room() {
            let looked = looks;
            let next = self.session.next(&log, &terms, &mut looks);
            *work += limits::TIME_OF_LOOK * u32::try_from(looked - looks).unwrap_or(u32::MAX);
            match next {
                Next::Message(delivery) => {
                    let bytes = u32::try_from(delivery.message.payload.len()).unwrap_or(u32::MAX);
                    *work += limits::TIME_OF_MESSAGE + limits::TIME_OF_KIB * (bytes / 1024);
                    if delivery.id.is_some() && self.session.unacknowledged() == 1 {
                        self.acknowledged = now;
                    }
                    if !self.outbox.publish(&delivery, now)
                        && let Some(id) = delivery.id
                    {
                        // Longer than the client takes: as if it had been delivered.
                        self.session.acknowledged(id);
                    }
                }
                Next::Release(id) => self.outbox.pubrel(id),
                Next::Blocked => return Ok(Filled::Blocked),
                Next::Nothing => return Ok(Filled::UpToDate),
                Next::Later => return Ok(Filled::Some),
            }
        }
        Ok(Filled::Some)
    }
}

/// How far the outbox was filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Filled {
    /// There may be more.
    Some,
    /// There is more when something was acknowledged.
    Blocked,
    /// There is no more.
    UpToDate,
}
