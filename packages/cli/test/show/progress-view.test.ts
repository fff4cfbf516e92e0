import { stripVTControlCharacters } from 'node:util';
import { completedJobExample, queuedJobExample } from '@media-jobs/core/api';
import { expect, it } from 'vitest';
import { jobProgress, progressBars, progressLines } from '../../src/show/progress-view.ts';
import { anOutput } from '../builders/run-cli.ts';

const video = { key: 'video', label: 'video.mp4', percent: 40, activity: 'transcoding', isDone: false };

it('a terminal shows a bar for an unfinished item and a line for a finished one', () => {
  const terminal = anOutput({ isTTY: true });
  const view = progressBars(terminal);
  view.show(video);
  view.show({
    ...video,
    key: 'other',
    label: 'other.mp4',
    percent: 100,
    activity: 'completed',
    isDone: true,
  });
  view.end();
  const shown = stripVTControlCharacters(terminal.text());
  expect(shown).toContain(`[${'='.repeat(12)}${' '.repeat(18)}]  40 %  transcoding  video.mp4`);
  expect(shown).toContain('100 %  completed  other.mp4\n');
});

it('a terminal shows no more bars than it has rows', () => {
  const terminal = anOutput({ isTTY: true, rows: 5 });
  const view = progressBars(terminal);
  for (let job = 1; job <= 9; job += 1) view.show({ ...video, key: `${job}`, label: `video-${job}.mp4` });
  view.end();
  expect(new Set(terminal.text().match(/video-\d/g))).toEqual(new Set(['video-1', 'video-2']));
});

it('a bar removes terminal control characters from a name', () => {
  const terminal = anOutput({ isTTY: true });
  const view = progressBars(terminal);
  view.show({ ...video, label: '\u001b]0;gotcha\u0007video\u009b31m.mp4' });
  view.end();
  expect(terminal.text()).toContain('transcoding  video.mp4');
  expect(terminal.text()).not.toContain('gotcha');
});

it('without a terminal, a line is written for each change of activity', () => {
  const lines: string[] = [];
  const view = progressLines((line) => lines.push(line));
  for (const percent of [0, 20, 45.5]) view.show({ ...video, percent });
  view.show({ ...video, percent: 100, activity: 'completed', isDone: true });
  expect(lines).toEqual(['    0 %  transcoding  video.mp4', '  100 %  completed  video.mp4']);
});

it('a job is labelled with its input and id', () => {
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
