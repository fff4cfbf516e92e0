/** The DynamoDB units of calls: read units, and write units of the table and of its indexes. */
export type Units = {
  read: number;
  table: number;
  /** Those of `table` in the partition that all jobs of the owner share. */
  owner: number;
  byState: number;
  byName: number;
  due: number;
  waiting: number;
};

export const noUnits: Units = { read: 0, table: 0, owner: 0, byState: 0, byName: 0, due: 0, waiting: 0 };

export function addUnits(a: Units, b: Units): Units {
  return {
    read: a.read + b.read,
    table: a.table + b.table,
    owner: a.owner + b.owner,
    byState: a.byState + b.byState,
    byName: a.byName + b.byName,
    due: a.due + b.due,
    waiting: a.waiting + b.waiting,
  };
}

/** The phases of a job in order; a worker sends a heartbeat every two seconds. */
export const jobPhases = ['create', 'work', 'heartbeat', 'deliver', 'read'] as const;

export type JobPhase = (typeof jobPhases)[number];

/** Calls by service and operation, and the DynamoDB units that they consume. */
export type CallCosts = { calls: Record<string, number>; units: Units };

export type JobCalls = Record<JobPhase, CallCosts>;
