/** One MQTT connection over WebSocket that comes back by itself. It knows no payloads. */

import mqtt, { type MqttClient } from 'mqtt';
import { backoffMs } from '../pure/backoff';
import { Pulse } from '../pure/pulse';
import type { Credentials } from './session';

export type LinkState = 'idle' | 'connecting' | 'online' | 'lost' | 'refused';

export interface LinkOptions {
  readonly url: string;
  /** Those of each hall. */
  readonly filters: readonly (readonly string[])[];
  /** 5 says what is refused; where a broker does not speak it, 4 is used from then on. */
  readonly version: 4 | 5;
  readonly qos: 0 | 1;
  readonly credentials: Credentials | null;
  /** Whether the other end is asked again and again if it is still there. */
  readonly pulse: boolean;
  onState(state: LinkState): void;
  /** Nothing has been heard for too long, or something has again. The connection stays open. */
  onSilent(silent: boolean): void;
  /** Before each new subscription: retained messages are about to come again. */
  onFresh(): void;
  onMessage(topic: string, payload: string): void;
  /** The retained messages have come. */
  onSettled(): void;
  /** Of the filters with this index not all may be read here. */
  onBarred(index: number): void;
}

/** Seconds between pings; a silent network is noticed after one and a half of them. */
const KEEPALIVE_S = 10;
const CONNECT_TIMEOUT_MS = 10_000;
/** MQTT does not say where the retained messages end; this long a silence is taken for it. */
const QUIET_MS = 1500;
/** CONNACK, in both versions: bad user name or password, not authorised. */
const WRONG_LOGIN = [4, 5, 134, 135];
/** The same: this version of MQTT is not spoken there. */
const WRONG_VERSION = [1, 132];
const NOT_AUTHORISED = 135;

export class Link {
  private readonly options: LinkOptions;
  private client: MqttClient | null = null;
  private readonly pulse = new Pulse();
  private beat: ReturnType<typeof setInterval> | undefined;
  private version: 4 | 5;
  private failures = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private quiet: ReturnType<typeof setTimeout> | undefined;
  private refused = false;
  private closed = false;
  /** What is wanted besides, for the time being. */
  private extra: string | null = null;

  constructor(options: LinkOptions) {
    this.options = options;
    this.version = options.version;
    window.addEventListener('online', this.hurry);
    document.addEventListener('visibilitychange', this.hurry);
    if (options.pulse) this.beat = setInterval(() => this.feel(), Pulse.BEAT_MS);
    this.open();
  }

  /** False when there is no connection to send on. `onRefused`: the broker does not let it pass. */
  publish(topic: string, payload: object, onRefused: () => void): boolean {
    const { client } = this;
    if (client?.connected !== true) return false;
    client.publish(topic, JSON.stringify(payload), { qos: 1 }, (error) => {
      if (error && codeOf(error) === NOT_AUTHORISED) onRefused();
    });
    return true;
  }

  /** One filter besides those of the page; the one before is given up. */
  watch(filter: string | null): void {
    if (filter === this.extra) return;
    const before = this.extra;
    this.extra = filter;
    if (this.client?.connected !== true) return;
    if (before !== null) this.client.unsubscribe(before);
    if (filter !== null) this.client.subscribe(filter, { qos: this.options.qos });
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.retry);
    clearTimeout(this.quiet);
    clearInterval(this.beat);
    window.removeEventListener('online', this.hurry);
    document.removeEventListener('visibilitychange', this.hurry);
    this.client?.end(true);
  }

  /** A fresh client for each attempt: nothing queued in the old one can arrive late. */
  private open(): void {
    const client = mqtt.connect(this.options.url, {
      ...this.options.credentials,
      clientId: randomClientId(),
      protocolVersion: this.version,
      clean: true,
      keepalive: KEEPALIVE_S,
      connectTimeout: CONNECT_TIMEOUT_MS,
      reconnectPeriod: 0,
      resubscribe: false,
      queueQoSZero: false,
    });
    this.client = client;
    client.on('connect', () => this.subscribe(client));
    client.on('message', (topic, payload, packet) => {
      this.receive(topic, payload, packet.retain);
    });
    client.on('packetreceive', () => this.hear());
    client.on('error', (error) => this.noteError(client, error));
    client.once('close', () => this.lose(client));
  }

  private hear(): void {
    if (this.pulse.heard(performance.now())) this.options.onSilent(false);
  }

  private feel(): void {
    const { client, pulse } = this;
    const connected = client?.connected === true;
    const { ask, changed } = pulse.beat(performance.now(), connected);
    if (ask) client?.sendPing();
    if (changed) this.options.onSilent(pulse.silent);
  }

  private subscribe(client: MqttClient): void {
    const { filters, qos } = this.options;
    this.options.onFresh();
    if (filters.length === 0) return this.begin();
    let [waiting, barred] = [filters.length, 0];
    filters.forEach((group, index) => {
      const extra = index > 0 || this.extra === null ? [] : [this.extra];
      client.subscribe([...group, ...extra], { qos }, (error) => {
        if (client !== this.client || this.closed) return;
        waiting -= 1;
        if (error) barred += 1;
        // Whoever may read nothing at all is no arbiter here.
        if (barred === filters.length) return this.refuse(client);
        if (error) this.options.onBarred(index);
        if (waiting === 0) this.begin();
      });
    });
  }

  private begin(): void {
    this.failures = 0;
    this.refused = false;
    this.options.onState('online');
    this.awaitQuiet();
  }

  /** Only messages from the store count as such; games in play never fall silent. */
  private receive(topic: string, payload: Uint8Array, fromStore: boolean): void {
    this.options.onMessage(topic, new TextDecoder().decode(payload));
    if (fromStore && this.quiet !== undefined) this.awaitQuiet();
  }

  private awaitQuiet(): void {
    clearTimeout(this.quiet);
    this.quiet = setTimeout(() => {
      this.quiet = undefined;
      this.options.onSettled();
    }, QUIET_MS);
  }

  private noteError(client: MqttClient, error: Error): void {
    const code = codeOf(error);
    if (WRONG_VERSION.includes(code)) this.version = 4;
    if (WRONG_LOGIN.includes(code)) this.refuse(client);
  }

  private refuse(client: MqttClient): void {
    this.refused = true;
    client.end(true);
  }

  private lose(client: MqttClient): void {
    client.end(true);
    if (this.closed || client !== this.client) return;
    clearTimeout(this.quiet);
    this.quiet = undefined;
    this.options.onState(this.refused ? 'refused' : 'lost');
    this.refused = false;
    if (this.closed) return;
    this.retry = setTimeout(() => this.open(), backoffMs(this.failures, Math.random()));
    this.failures += 1;
  }

  /** The network or the reader is back: no reason to sit out the wait. */
  private readonly hurry = (): void => {
    if (document.hidden || this.client?.connected === true || this.retry === undefined) return;
    clearTimeout(this.retry);
    this.retry = undefined;
    this.open();
  };
}

function codeOf(error: Error & { code?: unknown }): number {
  return typeof error.code === 'number' ? error.code : 0;
}

export function brokerUrl(location: Location): string {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  return `${scheme}://${location.host}/mqtt`;
}

/** Not `crypto.randomUUID`: it does not exist on pages served over plain http. */
export function randomToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function randomClientId(): string {
  return `page-${randomToken().slice(0, 16)}`;
}
