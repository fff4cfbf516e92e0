import { CfnOutput, Duration, Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  CfnStage,
  CorsHttpMethod,
  HttpApi,
  HttpMethod,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Contract } from '../../core/api/contract.ts';
import { crossOriginAccess } from '../../core/api/cross-origin.ts';
import { namePrefix } from '../names.ts';
import { burstOf, publicRateOf } from '../settings/requests.ts';
import type { Settings } from '../settings/settings.ts';
import { logGroup } from './function-identity.ts';

/** A route of API Gateway and the integration of its function. */
export type ApiRoute = {
  method: Contract['method'];
  path: string;
  integration: HttpLambdaIntegration;
  /** Whether anyone may call it, without a credential. */
  isPublic: boolean;
};

const { allowHeaders, allowMethods, exposeHeaders, maxAgeSeconds } = crossOriginAccess;

const corsPreflight = {
  allowOrigins: ['*'],
  allowHeaders: [...allowHeaders],
  allowMethods: allowMethods.map((method) => CorsHttpMethod[method]),
  exposeHeaders: [...exposeHeaders],
  maxAge: Duration.seconds(maxAgeSeconds),
};

export type JobApiProps = {
  settings: Settings;
  /** Handles requests that match no route. */
  fallback: IFunction;
};

/** The HTTP API: routes, CORS, throttling and access logs. */
export class JobApi extends Construct {
  readonly api: HttpApi;
  readonly stage: HttpStage;
  private readonly fallback: IFunction;

  constructor(scope: Construct, id: string, { settings, fallback }: JobApiProps) {
    super(scope, id);
    // A permission for all paths does not match the source of `$default`, which has none.
    this.fallback = fallback;
    const unknownPath = new HttpLambdaIntegration('Fallback', fallback);
    this.api = new HttpApi(this, 'Api', {
      apiName: namePrefix(settings.stage),
      createDefaultStage: false,
      defaultIntegration: unknownPath,
      // With a dashboard origin the functions set the headers: files have others, and the gateway has one rule for all routes.
      ...(settings.dashboardOrigin === undefined && { corsPreflight }),
    });
    Validations.of(this.api).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason:
        'Each function authenticates the caller: a revoked key fails on the next request, and the error format is ours.',
    });
    this.stage = this.addStage(settings);
    new CfnOutput(this, 'Url', { value: this.api.apiEndpoint, description: 'Base URL of the API' });
  }

  /**
   * Adds the routes. Separate, since their functions reference the URL of the API. Public routes and unknown paths have
   * throttles of their own, so that strangers cannot use up the requests of customers.
   */
  addRoutes(routes: readonly ApiRoute[], { requestsPerSecond }: Settings): void {
    const publicThrottle = {
      ThrottlingRateLimit: publicRateOf(requestsPerSecond),
      ThrottlingBurstLimit: burstOf(publicRateOf(requestsPerSecond)),
    };
    const routeSettings: Record<string, typeof publicThrottle> = { $default: publicThrottle };
    const otherMethod = integrationOf('OtherMethod', this.fallback);
    const added = [
      ...routes,
      ...routesLikeIds(routes).map((route) => ({ ...route, isPublic: true, integration: otherMethod })),
    ];
    for (const { method, path, isPublic, integration } of added) {
      const httpRoutes = this.api.addRoutes({ path, methods: [HttpMethod[method]], integration });
      if (!isPublic) continue;
      routeSettings[`${method} ${path}`] = publicThrottle;
      // API Gateway rejects settings of a route that does not exist yet.
      this.stage.node.addDependency(...httpRoutes);
    }
    this.stage.node.addDependency(this.api.node.findChild('DefaultRoute'));
    const { defaultChild } = this.stage.node;
    if (!(defaultChild instanceof CfnStage)) throw new TypeError('Expected the stage of an HTTP API');
    defaultChild.routeSettings = routeSettings;
  }

  private addStage(settings: Settings): HttpStage {
    const { requestsPerSecond } = settings;
    const name = `/aws/vendedlogs/apigateway/${namePrefix(settings.stage)}`;
    const accessLogs = logGroup(this, 'AccessLogs', { ...settings, name });
    return new HttpStage(this, 'Stage', {
      httpApi: this.api,
      stageName: '$default',
      autoDeploy: true,
      throttle: { rateLimit: requestsPerSecond, burstLimit: burstOf(requestsPerSecond) },
      accessLogSettings: {
        destination: new LogGroupLogDestination(accessLogs),
        format: AccessLogFormat.custom(JSON.stringify(accessLogFields)),
      },
    });
  }
}

/** The integration that all routes of a function share, with one permission: a stack has at most 500 resources. */
export function integrationOf(id: string, lambda: IFunction): HttpLambdaIntegration {
  return new HttpLambdaIntegration(id, lambda, { scopePermissionToRoute: false });
}

/**
 * Methods of a path that would otherwise reach the route of a resource, as `GET jobs/estimate` would reach `GET jobs/{id}`:
 * the fallback answers them with a 405.
 */
function routesLikeIds(routes: readonly ApiRoute[]): Pick<ApiRoute, 'method' | 'path'>[] {
  const ofResources = routes.filter(({ path }) => path.endsWith('}'));
  return [...new Set(routes.map(({ path }) => path))].flatMap((path) =>
    ofResources
      .filter((resource) => new RegExp(`^${resource.path.replace(/\{\w+\}/g, '[^/{]+')}$`).test(path))
      .filter(({ method }) => !routes.some((route) => route.path === path && route.method === method))
      .map(({ method }) => ({ method, path })),
  );
}

/** No headers and no query strings: access logs contain no credentials. */
const accessLogFields = {
  // The function's request id, as in its log and its error responses.
  requestId: '$context.integration.requestId',
  gatewayRequestId: '$context.requestId',
  time: '$context.requestTime',
  sourceIp: '$context.identity.sourceIp',
  method: '$context.httpMethod',
  path: '$context.path',
  route: '$context.routeKey',
  status: '$context.status',
  responseBytes: '$context.responseLength',
  latencyMs: '$context.responseLatency',
  integrationError: '$context.integrationErrorMessage',
};
