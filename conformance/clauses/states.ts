import { type Clause, section } from '../clause.ts';
import { expectEqual } from '../expectation.ts';
import { readSampleJob } from '../jobs/sample-jobs.ts';
import { terminalStates } from '../jobs/submit.ts';
import { webhookPayload } from './webhook-payload.ts';

const endings = ['completed', 'failed', 'rejected', 'cancelled'] as const;

export const states: Clause[] = section('States and transitions', [
  {
    id: 'states.terminal',
    sentence: `Terminal job states (exactly these four): ${terminalStates.map((state) => `\`${state}\``).join(', ')}.`,
    check: async (run) => {
      for (const ending of endings) {
        const { state } = await readSampleJob(run, ending);
        expectEqual(state, ending, `state of the job that was to be ${ending}`);
      }
    },
  },
  {
    id: 'states.webhook',
    sentence: 'Rule: when a job enters any terminal state, a webhook notification is sent (see Events).',
    needs: ['receiver'],
    check: async (run) => {
      for (const ending of endings) await webhookPayload(run, ending);
    },
  },
]);
