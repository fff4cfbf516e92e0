import type { JobEvent } from '../../core/jobs/job-event.ts';

/** The letter of each state. Never change one: stored jobs have them. */
const letters = {
  queued: 'q',
  processing: 'p',
  completed: 'c',
  failed: 'f',
  rejected: 'r',
  cancelled: 'x',
  skipped: 's',
};

const states = new Map(Object.entries(letters).map(([state, letter]) => [letter, state]));

/**
 * The events of a job as a text, a sixth of their size, so that most records stay below a write unit: the letter of the state and
 * the milliseconds since the event before in base 36, and of an output `.`, its letter and its name.
 */
export function eventText(events: readonly JobEvent[]): string {
  const texts = events.map(({ state, at, output }, index) => {
    const sinceMs = at - (events[index - 1]?.at ?? 0);
    return `${letters[state]}${sinceMs.toString(36)}${output ? `.${letters[output.state]}${output.name}` : ''}`;
  });
  return texts.join(' ');
}

/** The reverse of `eventText`, for the schema of a record. */
export function eventsFromText(text: string): unknown[] {
  let at = 0;
  return text.split(' ').map((event) => {
    const [time = '', output] = event.split('.');
    at += Number.parseInt(time.slice(1), 36);
    const named = output && { output: { name: output.slice(1), state: states.get(output.charAt(0)) } };
    return { state: states.get(time.charAt(0)), at, ...named };
  });
}
