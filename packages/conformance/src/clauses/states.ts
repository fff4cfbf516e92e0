import { type Clause, section } from '../clause.ts';
import { expectEqual } from '../expectation.ts';
import { readSampleJob, terminalStates } from '../jobs/jobs.ts';
import { webhookPayload } from './webhooks.ts';

const kinds = ['completed', 'failed', 'rejected', 'cancelled'] as const;

export const states: Clause[] = section('States and transitions', [
  {
    id: 'states.terminal',
    sentence: `Terminal job states (exactly these four): ${terminalStates.map((state) => `\`${state}\``).join(', ')}.`,
    check: async (run) => {
      for (const kind of kinds) {
        const { state } = await readSampleJob(run, kind);
        expectEqual(state, kind, `state of the job that was to be ${kind}`);
      }
    },
  },
  {
    id: 'states.webhook',
    sentence: 'Rule: when a job enters any terminal state, a webhook notification is sent (see Events).',
    needs: ['receiver'],
    check: async (run) => {
      for (const kind of kinds) await webhookPayload(run, kind);
    },
  },
]);
