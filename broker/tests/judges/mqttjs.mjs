// mqtt.js as a judge of the broker: url version user password. It says so, or fails.
import assert from "node:assert/strict";
import { createRequire } from "node:module";

const require = createRequire(new URL("../../../web/package.json", import.meta.url));
const mqtt = require("mqtt");
const [url, version, username, password] = process.argv.slice(2);
const protocolVersion = Number(version);
const base = `adoubed/v1/judge/js${version}`;

async function judge(name, will) {
    const options = { clientId: `js${version}-${name}`, protocolVersion, username, password, will };
    const client = await mqtt.connectAsync(url, { ...options, reconnectPeriod: 0 });
    const heard = [];
    const waiting = [];
    client.on("error", () => {});
    client.on("message", (topic, payload, packet) => {
        const message = { topic, payload: String(payload), packet };
        const waits = waiting.shift();
        if (waits) waits(message);
        else heard.push(message);
    });
    const next = () =>
        heard.length > 0
            ? Promise.resolve(heard.shift())
            : new Promise((resolve, reject) => {
                  waiting.push(resolve);
                  setTimeout(() => reject(new Error("nothing is heard")), 10_000).unref();
              });
    const subscribe = async (topic, qos) => {
        const [granted] = await client.subscribeAsync(topic, { qos });
        assert.equal(granted.qos, qos);
    };
    return { client, next, subscribe };
}

const ann = await judge("ann");
for (const qos of [0, 1, 2]) {
    await ann.client.publishAsync(`${base}/kept/${qos}`, `kept ${qos}`, { qos, retain: true });
}
const ben = await judge("ben", { topic: `${base}/will`, payload: "gone", qos: 1, retain: false });
await ben.subscribe(`${base}/kept/#`, 2);
const kept = [await ben.next(), await ben.next(), await ben.next()];
const told = kept.map((it) => [it.topic, it.payload, it.packet.retain]).sort();
assert.deepEqual(told, [0, 1, 2].map((qos) => [`${base}/kept/${qos}`, `kept ${qos}`, true]));
for (const qos of [0, 1, 2]) {
    await ben.subscribe(`${base}/live/${qos}`, qos);
    await ann.client.publishAsync(`${base}/live/${qos}`, "x".repeat(1000), { qos: 2 });
    const { payload, packet } = await ben.next();
    assert.deepEqual([packet.qos, packet.retain, payload.length], [qos, false, 1000]);
}
await ann.subscribe(`${base}/will`, 1);
ben.client.stream.destroy();
assert.equal((await ann.next()).payload, "gone");
if (protocolVersion === 5) {
    const correlationData = Buffer.from("42");
    const userProperties = { tool: "judge" };
    const properties = { responseTopic: `${base}/answer`, correlationData, userProperties };
    await ann.subscribe(`${base}/+`, 1);
    await ann.client.publishAsync(`${base}/question`, "?", { qos: 1, properties });
    const asked = (await ann.next()).packet.properties;
    assert.equal(asked.responseTopic, `${base}/answer`);
    assert.equal(String(asked.correlationData), "42");
    assert.equal(asked.userProperties.tool, "judge");
    const answers = { qos: 1, properties: { correlationData } };
    await ann.client.publishAsync(asked.responseTopic, "!", answers);
    const { payload, packet } = await ann.next();
    assert.deepEqual([payload, String(packet.properties.correlationData)], ["!", "42"]);
}
for (const qos of [0, 1, 2]) {
    await ann.client.publishAsync(`${base}/kept/${qos}`, "", { qos: 1, retain: true });
}
await ann.client.endAsync();
console.log("judged");
