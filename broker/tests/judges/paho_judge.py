"""paho-mqtt as a judge of the broker: host port version user password. It says so, or fails."""
import queue, socket, sys
import paho.mqtt.client as mqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

host, port, version, user, password = sys.argv[1], int(sys.argv[2]), *sys.argv[3:6]
protocol = mqtt.MQTTv5 if version == "5" else mqtt.MQTTv311
BASE = f"adoubed/v1/judge/paho{version}"


class Judge:
    def __init__(self, name, will=None):
        api = mqtt.CallbackAPIVersion.VERSION2
        self.client = mqtt.Client(api, client_id=f"paho{version}-{name}", protocol=protocol)
        self.client.username_pw_set(user, password)
        self.heard, self.told = queue.Queue(), queue.Queue()
        self.client.on_message = lambda _c, _u, message: self.heard.put(message)
        self.client.on_connect = lambda _c, _u, _f, code, _p: self.told.put(code)
        self.client.on_subscribe = lambda _c, _u, _m, codes, _p: self.told.put(codes)
        if will:
            self.client.will_set(*will)
        self.client.connect(host, port, keepalive=30)
        self.client.loop_start()
        assert not self.told.get(timeout=10).is_failure

    def subscribe(self, topic, qos):
        self.client.subscribe(topic, qos)
        codes = self.told.get(timeout=10)
        assert [code.value for code in codes] == [qos], codes

    def next(self):
        return self.heard.get(timeout=10)

    def end(self):
        self.client.disconnect()
        self.client.loop_stop()


ann = Judge("ann")
for qos in (0, 1, 2):
    ann.client.publish(f"{BASE}/kept/{qos}", f"kept {qos}", qos, retain=True).wait_for_publish(10)
ben = Judge("ben", will=(f"{BASE}/will", "gone", 1, False))
ben.subscribe(f"{BASE}/kept/#", 2)
kept = sorted((m.topic[-1], m.payload.decode(), m.retain) for m in (ben.next() for _ in range(3)))
assert kept == [(str(q), f"kept {q}", True) for q in range(3)], kept
for qos in (0, 1, 2):
    ben.subscribe(f"{BASE}/live/{qos}", qos)
    ann.client.publish(f"{BASE}/live/{qos}", b"x" * 1000, 2).wait_for_publish(10)
    message = ben.next()
    assert (message.qos, message.retain, len(message.payload)) == (qos, False, 1000), message.qos
ann.subscribe(f"{BASE}/will", 1)
ben.client.socket().shutdown(socket.SHUT_RDWR)
assert ann.next().payload == b"gone"
ben.end()
if version == "5":
    asked = Properties(PacketTypes.PUBLISH)
    asked.ResponseTopic, asked.CorrelationData = f"{BASE}/answer", b"42"
    asked.UserProperty = ("tool", "judge")
    ann.subscribe(f"{BASE}/+", 1)
    ann.client.publish(f"{BASE}/question", "?", 1, properties=asked)
    question = ann.next()
    told = question.properties
    assert (told.ResponseTopic, told.CorrelationData) == (f"{BASE}/answer", b"42"), told
    assert ("tool", "judge") in told.UserProperty, told
    answer = Properties(PacketTypes.PUBLISH)
    answer.CorrelationData = told.CorrelationData
    ann.client.publish(told.ResponseTopic, "!", 1, properties=answer)
    message = ann.next()
    assert (message.payload, message.properties.CorrelationData) == (b"!", b"42")
for qos in (0, 1, 2):
    ann.client.publish(f"{BASE}/kept/{qos}", b"", 1, retain=True).wait_for_publish(10)
ann.end()
print("judged")
