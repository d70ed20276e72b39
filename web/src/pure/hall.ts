/** One hall, that is one daemon: what is known of it besides its tables and alerts. */

import { DaemonTime } from './daemon_time';
import type { BridgeInfo, BridgeState } from './payloads';
import { RecordWatch } from './record';
import { idIn, type TableId } from './table_id';
import type { Unseated } from './unseated';
import type { Watched } from './watch';

export class Hall {
  bridge: BridgeState | null = null;
  info: BridgeInfo | null = null;
  /** Who is short of time. */
  watched: readonly Watched[] = [];
  /** Boards that have no table. */
  unseated: readonly Unseated[] = [];
  /** When it sent the latest message that is known, in ms since 1970 by its own clock. */
  heardAt: number | null = null;
  /** Each machine has a clock of its own. */
  readonly time = new DaemonTime();
  readonly record = new RecordWatch();

  /** `name`: empty where only one hall is shown. */
  constructor(
    readonly base: string,
    readonly name: string,
  ) {}

  /** How the pages call what the hall has a number or an id for. */
  idOf(own: number | string): TableId {
    return idIn(this.name, own);
  }
}
