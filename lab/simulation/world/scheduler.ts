/** Virtual time: events run in the order of their times, and no real time passes in between. */
export type Scheduler = {
  /** Virtual Unix milliseconds. */
  now(): number;
  /** Schedules an event outside of the apps: no app runs because of it. */
  at(moment: number, happen: () => void): void;
  /** Schedules an event that wakes an app: the app runs as far as it can before the next event. */
  wakeAt(moment: number, wake: () => void): void;
  /** The number of scheduled events. */
  pending(): number;
  /** Runs events until none is left. */
  run(): Promise<void>;
};

const breathEvery = 10_000;

type Event = { moment: number; order: number; happen: () => void; wakes: boolean };

export function scheduler(startsAt: number): Scheduler {
  const heap: Event[] = [];
  let now = startsAt;
  let order = 0;
  let happened = 0;
  const push = (moment: number, happen: () => void, wakes: boolean) => {
    heap.push({ moment: Math.max(now, moment), order: ++order, happen, wakes });
    rise(heap, heap.length - 1);
  };

  return {
    now: () => now,
    pending: () => heap.length,
    at: (moment, happen) => push(moment, happen, false),
    wakeAt: (moment, wake) => push(moment, wake, true),
    run: async () => {
      for (let event = pop(heap); event !== undefined; event = pop(heap)) {
        now = event.moment;
        event.happen();
        if (event.wakes) await appsRunOn();
        if (++happened % breathEvery === 0) await breathe();
      }
    },
  };
}

/**
 * Resolves when the apps can run no further. Node drains the microtask queue, including microtasks added meanwhile,
 * before the next tick (Node.js, "The event loop", `process.nextTick`).
 */
function appsRunOn(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}

/** Yields to the event loop of Node, so that the caller of the simulation can run too. */
function breathe(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

function isBefore(a: Event, b: Event): boolean {
  return a.moment === b.moment ? a.order < b.order : a.moment < b.moment;
}

function rise(heap: Event[], from: number): void {
  let index = from;
  const event = heap[index];
  while (event !== undefined && index > 0) {
    const above = (index - 1) >> 1;
    const parent = heap[above];
    if (parent === undefined || !isBefore(event, parent)) break;
    heap[index] = parent;
    heap[above] = event;
    index = above;
  }
}

function pop(heap: Event[]): Event | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (first === undefined || last === undefined || heap.length === 0) return first;
  heap[0] = last;
  sink(heap);
  return first;
}

function sink(heap: Event[]): void {
  let index = 0;
  for (;;) {
    const event = heap[index];
    const [left, right] = [heap[2 * index + 1], heap[2 * index + 2]];
    if (event === undefined || left === undefined) return;
    const below = right !== undefined && isBefore(right, left) ? 2 * index + 2 : 2 * index + 1;
    const child = heap[below];
    if (child === undefined || !isBefore(child, event)) return;
    heap[index] = child;
    heap[below] = event;
    index = below;
  }
}
