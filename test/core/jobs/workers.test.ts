import { expect, it } from 'vitest';
import { viewWorkers } from '../../../core/jobs/job-result.ts';

it('a step that is one encode with a later one has its worker', () => {
  const steps = [{}, {}, { name: 'small' }];
  expect(viewWorkers({ steps }, [null, null, 'chunks']).workers).toEqual({
    'step-1': 'chunks',
    'step-2': 'chunks',
    small: 'chunks',
  });
});

it('an output that is one encode with its reader has its worker, and one that is not made has none', () => {
  const outputs = {
    turned: { format: 'mp4' },
    large: { format: 'mp4', from: 'turned' },
    small: { format: 'mp4', from: 'large' },
    left: { format: 'mp4' },
    poster: { format: 'jpg', from: 'left' },
  };
  const order = ['turned', 'large', 'small', 'left', 'poster'];
  const decided = order.map((name) => (name === 'small' ? 'task' : null));
  expect(viewWorkers({ outputs }, decided).workers).toEqual({
    turned: 'task',
    large: 'task',
    small: 'task',
    left: null,
    poster: null,
  });
  expect(viewWorkers({ outputs }, undefined).workers).toEqual(Object.fromEntries(order.map((name) => [name, null])));
});
