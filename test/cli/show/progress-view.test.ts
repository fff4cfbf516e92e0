import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { progressBars } from '../../../cli/show/progress-bars.ts';
import { progressLines } from '../../../cli/show/progress-lines.ts';
import { jobProgress } from '../../../cli/show/progress-view.ts';
import { completedJobExample, queuedJobExample } from '../../../core/api/job-examples.ts';
import { anOutput } from '../../builders/cli/run-cli.ts';

const film = { key: 'film', label: 'film.mp4', percent: 40, activity: 'transcoding', isDone: false };

describe('on a terminal', () => {
  it('draws a bar for what goes on, and a line for what is done', () => {
    const terminal = anOutput({ isTTY: true });
    const view = progressBars(terminal);
    view.show(film);
    view.show({
      ...film,
      key: 'other',
      label: 'other.mp4',
      percent: 100,
      activity: 'completed',
      isDone: true,
    });
    view.end();
    const shown = stripVTControlCharacters(terminal.text());
    expect(shown).toContain(`[${'='.repeat(12)}${' '.repeat(18)}]  40 %  transcoding  film.mp4`);
    expect(shown).toContain('100 %  completed  other.mp4\n');
  });

  it('draws no more bars than the terminal is high', () => {
    const terminal = anOutput({ isTTY: true, rows: 5 });
    const view = progressBars(terminal);
    for (let job = 1; job <= 9; job += 1) view.show({ ...film, key: `${job}`, label: `film-${job}.mp4` });
    view.end();
    expect(new Set(terminal.text().match(/film-\d/g))).toEqual(new Set(['film-1', 'film-2']));
  });

  it('takes out of a name what the terminal would obey', () => {
    const terminal = anOutput({ isTTY: true });
    const view = progressBars(terminal);
    view.show({ ...film, label: '\u001b]0;gotcha\u0007film\u009b31m.mp4' });
    view.end();
    expect(terminal.text()).toContain('transcoding  film.mp4');
    expect(terminal.text()).not.toContain('gotcha');
  });
});

it('writes a line for each change of what is done, where there is no terminal', () => {
  const lines: string[] = [];
  const view = progressLines((line) => lines.push(line));
  for (const percent of [0, 20, 45.5]) view.show({ ...film, percent });
  view.show({ ...film, percent: 100, activity: 'completed', isDone: true });
  expect(lines).toEqual(['    0 %  transcoding  film.mp4', '  100 %  completed  film.mp4']);
});

it('calls a job by its input and its id', () => {
  expect([queuedJobExample, completedJobExample].map(jobProgress)).toEqual([
    {
      key: queuedJobExample.jobId,
      label: `beach.mov (${queuedJobExample.jobId})`,
      percent: 0,
      activity: 'queued',
      isDone: false,
    },
    expect.objectContaining({ percent: 100, activity: 'completed', isDone: true }),
  ]);
});
