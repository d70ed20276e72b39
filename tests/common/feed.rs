//! A client of the feed over MQTT 5 that keeps everything it hears, and asks as an arbiter does.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use rumqttc::v5::mqttbytes::QoS;
use rumqttc::v5::mqttbytes::v5::{Packet, Publish, PublishProperties};
use rumqttc::v5::{AsyncClient, Event, EventLoop, MqttOptions};
use serde_json::{Value, json};

use super::{PATIENCE, RUNTIME, Watched};

/// A name and a password.
pub type Login = (String, String);

/// One message as it came.
#[derive(Clone, Debug)]
pub struct Message {
    pub topic: String,
    pub payload: Vec<u8>,
    pub retain: bool,
    pub correlation: Option<Vec<u8>>,
    pub came: Instant,
}

impl Message {
    /// The payload as JSON; null if it is none.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.payload).unwrap_or_default()
    }

    pub fn text(&self) -> String {
        String::from_utf8(self.payload.clone()).expect("UTF-8")
    }
}

/// Everything a client has heard.
#[derive(Default)]
pub struct Heard {
    /// In order.
    pub messages: Vec<Message>,
    /// The last one of every topic, by its place in `messages`.
    pub latest: BTreeMap<String, usize>,
    subscribed: bool,
    /// Why the connection ended.
    pub ended: Option<String>,
}

impl Heard {
    pub fn latest(&self, topic: &str) -> Option<&Message> {
        self.latest.get(topic).map(|&index| &self.messages[index])
    }
}

/// Every client needs an id of its own.
static CLIENTS: AtomicU32 = AtomicU32::new(0);

pub struct Feed {
    base: String,
    heard: Arc<Watched<Heard>>,
    client: AsyncClient,
    task: tokio::task::JoinHandle<()>,
}

impl Feed {
    /// Somebody in the hall, without a name.
    pub fn guest(address: SocketAddr) -> Self {
        Self::open(address, None)
    }

    /// The same where the topics of the hall are below this base.
    pub fn of(base: &str, address: SocketAddr) -> Self {
        Self::connect(base, address, None).agreed()
    }

    /// Hears everything it may. Comes back when the broker has agreed.
    pub fn open(address: SocketAddr, login: Option<Login>) -> Self {
        Self::connect("adoubed", address, login).agreed()
    }

    fn agreed(self) -> Self {
        let feed = self;
        let subscribed = feed.heard.wait(PATIENCE, |heard| heard.subscribed.then_some(()));
        subscribed.unwrap_or_else(|| panic!("no subscription: {:?}", feed.end()));
        feed
    }

    /// Why a broker does not let this client in.
    pub fn refused(address: SocketAddr, login: Option<Login>) -> String {
        let feed = Self::connect("adoubed", address, login);
        feed.heard
            .wait(PATIENCE, |heard| match (&heard.ended, heard.subscribed) {
                (_, true) => panic!("let in"),
                (Some(why), false) => Some(why.clone()),
                (None, false) => None,
            })
            .expect("an answer")
    }

    fn connect(base: &str, address: SocketAddr, login: Option<Login>) -> Self {
        let id = format!("test-{}", CLIENTS.fetch_add(1, Ordering::Relaxed));
        let mut options = MqttOptions::new(id, address.ip().to_string(), address.port());
        options.set_keep_alive(Duration::from_secs(30)).set_max_packet_size(Some(1 << 22));
        // A password is checked slowly, on a busy machine more so.
        options.set_connection_timeout(PATIENCE.as_secs());
        if let Some((name, password)) = login {
            options.set_credentials(name, password);
        }
        let (client, events) = AsyncClient::new(options, 16);
        let heard = Arc::new(Watched::<Heard>::default());
        client
            .try_subscribe(format!("{base}/v1/#"), QoS::AtLeastOnce)
            .expect("room for one request");
        let task = RUNTIME.spawn(hear(events, client.clone(), Arc::clone(&heard)));
        Self { base: base.to_owned(), heard, client, task }
    }

    /// What `find` finds in everything heard, now or soon.
    pub fn wait<R>(&self, what: &str, find: impl FnMut(&Heard) -> Option<R>) -> R {
        self.within(PATIENCE, what, find)
    }

    pub fn within<R>(
        &self,
        patience: Duration,
        what: &str,
        find: impl FnMut(&Heard) -> Option<R>,
    ) -> R {
        let found = self.heard.wait(patience, find);
        found.unwrap_or_else(|| panic!("never heard: {what}\n{}", self.summary()))
    }

    /// The latest message of a topic once it is as wanted.
    pub fn topic(&self, topic: &str, what: &str, good: impl Fn(&Value) -> bool) -> Value {
        let topic = self.under(topic);
        self.wait(&format!("{topic}: {what}"), |heard| {
            heard.latest(&topic).map(Message::json).filter(|payload| good(payload))
        })
    }

    /// The same if it comes within the time in which a move is understood.
    pub fn soon(&self, topic: &str, good: impl Fn(&Value) -> bool) -> Option<Value> {
        let topic = self.under(topic);
        self.heard.wait(Duration::from_secs(3), |heard| {
            heard.latest(&topic).map(Message::json).filter(|payload| good(payload))
        })
    }

    /// The message of a retained topic that is there; null if it is not.
    pub fn now(&self, topic: &str) -> Value {
        self.look(|heard| heard.latest(&self.under(topic)).map(Message::json).unwrap_or_default())
    }

    /// All payloads of a topic so far, in order.
    pub fn all(&self, topic: &str) -> Vec<Value> {
        let topic = self.under(topic);
        self.look(|heard| {
            let of_topic = heard.messages.iter().filter(|message| message.topic == topic);
            of_topic.map(Message::json).collect()
        })
    }

    pub fn look<R>(&self, look: impl FnOnce(&Heard) -> R) -> R {
        self.heard.look(look)
    }

    /// Why the connection ended, if it has.
    pub fn end(&self) -> Option<String> {
        self.look(|heard| heard.ended.clone())
    }

    /// Asks and waits for the answer on the topic all answers of the verb come on.
    pub fn ask(&self, verb: &str, mut body: Value) -> Value {
        let transaction = format!("t{}", CLIENTS.fetch_add(1, Ordering::Relaxed));
        body["transaction"] = json!(transaction);
        self.publish(&format!("request/{verb}"), &body, None);
        let answers = self.under(&format!("response/{verb}"));
        self.wait(&format!("the answer to {verb} {body}"), |heard| {
            let mut messages = heard.messages.iter().rev();
            let answer = messages
                .find(|it| it.topic == answers && it.json()["transaction"] == transaction)?;
            Some(answer.json())
        })
    }

    /// Publishes a request; `answer` is where the answer is wanted, and by what it is known.
    pub fn publish(&self, topic: &str, body: &Value, answer: Option<(&str, &[u8])>) {
        let properties = PublishProperties {
            response_topic: answer.map(|(topic, _)| topic.to_owned()),
            correlation_data: answer.map(|(_, data)| data.to_vec().into()),
            ..PublishProperties::default()
        };
        let payload = body.to_string();
        let publish = self.client.publish_with_properties(
            self.under(topic),
            QoS::AtLeastOnce,
            false,
            payload,
            properties,
        );
        RUNTIME.block_on(publish).expect("a client");
    }

    /// A topic with what stands before it.
    fn under(&self, topic: &str) -> String {
        format!("{}/v1/{topic}", self.base)
    }

    fn summary(&self) -> String {
        self.look(|heard| {
            let latest = heard.latest.iter().map(|(topic, &index)| {
                let text = String::from_utf8_lossy(&heard.messages[index].payload).into_owned();
                format!("{topic} {}\n", text.chars().take(300).collect::<String>())
            });
            let latest = latest.take(20).collect::<String>();
            format!("{} messages, ended: {:?}\n{latest}", heard.messages.len(), heard.ended)
        })
    }
}

impl Drop for Feed {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// A topic with what stands before it.
pub fn under(topic: &str) -> String {
    format!("adoubed/v1/{topic}")
}

async fn hear(mut events: EventLoop, client: AsyncClient, heard: Arc<Watched<Heard>>) {
    // The last sender must live as long as the loop.
    let _client = client;
    loop {
        match events.poll().await {
            Ok(Event::Incoming(Packet::SubAck(_))) => heard.change(|it| it.subscribed = true),
            Ok(Event::Incoming(Packet::Publish(publish))) => heard.change(|it| keep(it, publish)),
            Ok(_) => {}
            Err(error) => return heard.change(|it| it.ended = Some(format!("{error:?}"))),
        }
    }
}

fn keep(heard: &mut Heard, publish: Publish) {
    let topic = String::from_utf8(publish.topic.to_vec()).expect("UTF-8");
    let properties = publish.properties.unwrap_or_default();
    heard.latest.insert(topic.clone(), heard.messages.len());
    heard.messages.push(Message {
        topic,
        payload: publish.payload.to_vec(),
        retain: publish.retain,
        correlation: properties.correlation_data.map(|data| data.to_vec()),
        came: Instant::now(),
    });
}
