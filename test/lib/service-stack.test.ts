import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import type { Contract } from '../../core/api/contract.ts';
import { contracts } from '../../core/api/registry.ts';
import { entries, workers } from '../../lib/build/entries.ts';
import { synthesizedStage } from '../builders/template/synthesized-stage.ts';
import { resourcesOf } from '../builders/template/template-resources.ts';

const { service } = synthesizedStage({
  contracts,
  settings: {
    dashboardOrigin: 'https://media.example.com',
    architecture: 'x86_64',
    transcoder: { memoryMb: 8192 },
    capacity: 1_000,
    requestsPerSecond: 7,
  },
});

const ofApi = entries(contracts)
  .map(({ name }) => name)
  .filter((name) => !workers.some((worker) => worker === name));
const isOfApi = ({ FunctionName }: { FunctionName?: unknown }) =>
  ofApi.some((name) => FunctionName === `media-jobs-test-${name}`);

/** Their other methods have no resource with an id. */
const likeIds = [
  ...['GET', 'DELETE'].map((method) => `${method} /api/v1/jobs/estimate`),
  ...['PUT', 'DELETE'].map((method) => `${method} /api/v1/storage-providers/external-id`),
];

describe('the HTTP API', () => {
  it('has a route for every contract, and a fallback', () => {
    const routeKeys = resourcesOf(service, 'AWS::ApiGatewayV2::Route').map(({ RouteKey }) => RouteKey);
    const declared = contracts.map(({ method, path }) => `${method} ${path}`);
    expect(routeKeys.toSorted()).toEqual(['$default', ...likeIds, ...declared].toSorted());
  });

  it('allows any origin exactly the documented methods and headers, if none is configured', () => {
    synthesizedStage().service.hasResourceProperties('AWS::ApiGatewayV2::Api', {
      CorsConfiguration: {
        AllowOrigins: ['*'],
        AllowHeaders: ['Authorization', 'Content-Type', 'X-API-KEY'],
        AllowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
        ExposeHeaders: [
          ...['Location', 'ETag', 'Retry-After', 'Idempotent-Replayed', 'RateLimit', 'RateLimit-Policy'],
          ...['Accept-Ranges', 'Content-Disposition', 'Content-Length'],
        ],
        AllowCredentials: Match.absent(),
      },
    });
  });

  it('leaves the headers for a configured origin to its functions', () => {
    service.hasResourceProperties('AWS::ApiGatewayV2::Api', { CorsConfiguration: Match.absent() });
    const origins = resourcesOf(service, 'AWS::Lambda::Function')
      .filter(isOfApi)
      .map(({ Environment }) => Environment);
    const Variables = expect.objectContaining({ DASHBOARD_ORIGIN: 'https://media.example.com' });
    expect(origins).toEqual(Array(ofApi.length).fill({ Variables }));
  });

  it('is throttled, and logs each request without its headers', () => {
    service.hasResourceProperties('AWS::ApiGatewayV2::Stage', {
      StageName: '$default',
      AutoDeploy: true,
      DefaultRouteSettings: { ThrottlingRateLimit: 7, ThrottlingBurstLimit: 14 },
      AccessLogSettings: {
        Format: Match.serializedJson(Match.objectLike({ requestId: '$context.integration.requestId' })),
      },
    });
    const [stage] = resourcesOf(service, 'AWS::ApiGatewayV2::Stage');
    expect(JSON.stringify(stage)).not.toMatch(/authorization|header|queryString/i);
  });
});

describe('a route that needs no credential, and an unknown path', () => {
  it('have throttles of their own', () => {
    const throttle = { ThrottlingRateLimit: 14, ThrottlingBurstLimit: 28 };
    const isPublic = ({ callers }: Contract) => callers.length === 0;
    const routes = contracts.filter(isPublic).map(({ method, path }) => `${method} ${path}`);
    expect(routes).toContain('GET /api/v1/jobs/{id}/files/{output}/{file}');
    service.hasResourceProperties('AWS::ApiGatewayV2::Stage', {
      RouteSettings: Object.fromEntries(['$default', ...likeIds, ...routes].map((route) => [route, throttle])),
    });
  });

  it('exist before their throttles', () => {
    const [stage] = Object.values(service.findResources('AWS::ApiGatewayV2::Stage'));
    const found = Object.entries(service.findResources('AWS::ApiGatewayV2::Route'));
    for (const route of Object.keys(stage?.Properties.RouteSettings)) {
      const [logicalId] = found.find(([, { Properties }]) => Properties.RouteKey === route) ?? [];
      expect(stage?.DependsOn).toContain(logicalId);
    }
  });
});

describe('the functions', () => {
  it('run on the configured architecture, each with its own role and log group', () => {
    const functions = resourcesOf(service, 'AWS::Lambda::Function');
    // A stage without Fargate, CloudFront and watches has three fewer.
    expect(functions).toHaveLength(entries(contracts).length - 3);
    for (const { Architectures } of functions) expect(Architectures).toEqual(['x86_64']);
    for (const property of ['Role', 'LoggingConfig']) {
      expect(new Set(functions.map((lambda) => JSON.stringify(lambda[property]))).size).toBe(functions.length);
    }
  });

  it('are traced, and write platform logs as JSON', () => {
    for (const { TracingConfig, LoggingConfig } of resourcesOf(service, 'AWS::Lambda::Function')) {
      expect(TracingConfig).toEqual({ Mode: 'Active' });
      expect(LoggingConfig).toMatchObject({ LogFormat: 'JSON' });
    }
    service.allResourcesProperties('AWS::StepFunctions::StateMachine', {
      TracingConfiguration: { Enabled: true },
      LoggingConfiguration: { Level: 'ALL', IncludeExecutionData: false },
    });
  });

  it('of the API time out before API Gateway does', () => {
    const timeouts = resourcesOf(service, 'AWS::Lambda::Function')
      .filter(isOfApi)
      .map(({ Timeout }) => Timeout);
    expect(timeouts).toHaveLength(ofApi.length);
    expect(Math.max(...timeouts.map(Number))).toBeLessThan(30);
  });

  it('find the table and the bucket by the names that the stateful stack gives them', () => {
    service.hasResourceProperties('AWS::Lambda::Function', {
      FunctionName: 'media-jobs-test-files',
      Environment: {
        Variables: Match.objectLike({
          STAGE: 'test',
          TABLE_NAME: { 'Fn::Join': ['', ['media-jobs-test-', { Ref: 'AWS::AccountId' }, '-jobs']] },
          MEDIA_BUCKET: {
            'Fn::Join': ['', ['media-jobs-test-', { Ref: 'AWS::AccountId' }, '-', { Ref: 'AWS::Region' }, '-media']],
          },
          WEBHOOK_SCHEMES: 'https',
          REACHABLE_PRIVATE_ADDRESSES: '',
        }),
      },
    });
  });
});

describe('the transcoder', () => {
  it('is an image with ffmpeg under /opt, the longest time-out and the largest disk', () => {
    service.hasResourceProperties('AWS::Lambda::Function', {
      PackageType: 'Image',
      ImageConfig: { Command: ['index.handler'] },
      Timeout: 900,
      MemorySize: 8192,
      EphemeralStorage: { Size: 10_240 },
      ReservedConcurrentExecutions: 310,
      Environment: {
        Variables: Match.objectLike({
          FFMPEG_PATH: '/opt/bin/ffmpeg',
          FFPROBE_PATH: '/opt/bin/ffprobe',
          VMAF_PATH: '/opt/bin/vmaf',
          INPUT_LIMITS: Match.serializedJson(Match.objectLike({ sizeBytes: 50_000_000_000, framesPerSecond: 300 })),
        }),
      },
    });
  });

  it('reserves no concurrency by default: a new account has ten executions in all', () => {
    synthesizedStage().service.hasResourceProperties('AWS::Lambda::Function', {
      PackageType: 'Image',
      MemorySize: 3008,
      ReservedConcurrentExecutions: Match.absent(),
    });
  });

  it('processes one job per invocation, with the configured concurrency', () => {
    service.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      BatchSize: 1,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 310 },
    });
  });

  it('has provisioned pollers above the largest concurrency of a mapping, and never more invocations than workers', () => {
    const { service: large } = synthesizedStage({ settings: { capacity: 4_000 } });
    large.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      FunctionName: { Ref: Match.stringLikeRegexp('^Transcoder') },
      // Of 1,241 workers.
      ProvisionedPollerConfig: { MinimumPollers: 2, MaximumPollers: 124 },
      ScalingConfig: Match.absent(),
    });
  });
});

it('the queues of a default stage leave the API an execution of a new account, which has ten', () => {
  const mappings = resourcesOf(synthesizedStage().service, 'AWS::Lambda::EventSourceMapping') as {
    ScalingConfig: { MaximumConcurrency: number };
  }[];
  const maxima = mappings.map(({ ScalingConfig }) => ScalingConfig.MaximumConcurrency);
  expect(maxima).toHaveLength(4);
  expect(maxima.reduce((sum, each) => sum + each)).toBeLessThanOrEqual(9);
});

it('the queue hides a message for six time-outs of the transcoder, and moves it to the dead-letter queue after five receives', () => {
  service.hasResourceProperties('AWS::SQS::Queue', {
    QueueName: 'media-jobs-test-transcode',
    VisibilityTimeout: 6 * 900,
    RedrivePolicy: { maxReceiveCount: 5 },
  });
});

describe('reconcile', () => {
  it('runs every minute', () => {
    service.hasResourceProperties('AWS::Events::Rule', { ScheduleExpression: 'rate(1 minute)', State: 'ENABLED' });
  });

  it('drops an event that Lambda could not run within a minute: the next one does its work', () => {
    service.hasResourceProperties('AWS::Lambda::EventInvokeConfig', {
      FunctionName: { Ref: Match.stringLikeRegexp('^Reconciler') },
      MaximumEventAgeInSeconds: 60,
      MaximumRetryAttempts: 0,
    });
  });
});
