import { Stack, type StackProps } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import type { Construct } from 'constructs';
import type { Contract } from '../../core/api/contract.ts';
import { apiFunction, apiFunctions } from '../constructs/api-functions.ts';
import { BundledFunction } from '../constructs/bundled-function.ts';
import { DeliveryMachine } from '../constructs/delivery-machine.ts';
import { JobApi } from '../constructs/job-api.ts';
import { Reconciler } from '../constructs/reconciler.ts';
import { TranscodeQueue } from '../constructs/transcode-queue.ts';
import { Transcoder } from '../constructs/transcoder.ts';
import { allow } from '../grants.ts';
import type { Settings } from '../settings.ts';
import { type StageResources, storedResources } from '../stage-resources.ts';
import { workerUses } from '../worker-uses.ts';

export type ServiceStackProps = StackProps & {
  settings: Settings;
  contracts: readonly Contract[];
  /** Where the bundles are: `functions/<name>` and `images/transcode`. */
  buildDirectory: string;
};

/** Everything that works on the records and files: it can be replaced or removed without losing any. */
export class ServiceStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    { settings, contracts, buildDirectory, ...props }: ServiceStackProps,
  ) {
    super(scope, id, { description: `Media jobs, stage ${settings.stage}: API and workers`, ...props });
    const eventBus = new EventBus(this, 'Events', { eventBusName: `${settings.stage}-media-jobs` });
    const { queue } = new TranscodeQueue(this, 'Transcode', settings);
    const { lambda: deliverWebhook } = new BundledFunction(this, {
      name: 'deliver-webhook',
      buildDirectory,
      settings,
      memoryMb: 512,
      // An attempt takes 10 s at most, after up to 1 s of holding.
      timeoutSeconds: 30,
    });
    const { stateMachine } = new DeliveryMachine(this, 'Delivery', { settings, deliverWebhook, eventBus });
    const resources: StageResources = {
      settings,
      ...storedResources(this, settings),
      queue,
      deliveryMachine: stateMachine,
    };
    const { lambda: transcode } = new Transcoder(this, 'Transcoder', { queue, settings, buildDirectory });
    const { lambda: reconcile } = new Reconciler(this, 'Reconciler', { settings, buildDirectory });
    allow(deliverWebhook, workerUses.deliverWebhook, resources);
    allow(transcode, workerUses.transcode, resources);
    allow(reconcile, workerUses.reconcile, resources);
    new JobApi(this, 'Http', {
      settings,
      routes: apiFunctions(this, { contracts, buildDirectory, resources }),
      fallback: apiFunction(this, { name: 'not-found', buildDirectory, resources }).lambda,
    });
  }
}
