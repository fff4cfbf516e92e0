import * as z from 'zod';
import { ignoreReasons, resourceKind } from '../resource-kind.ts';

const cors = z.strictObject({
  AllowCredentials: z.boolean().default(false),
  AllowHeaders: z.array(z.string()).default([]),
  AllowMethods: z.array(z.string()).default([]),
  AllowOrigins: z.array(z.string()).default([]),
  ExposeHeaders: z.array(z.string()).default([]),
  MaxAge: z.int().optional(),
});

export type Cors = z.output<typeof cors>;

export const httpApi = resourceKind({
  type: 'AWS::ApiGatewayV2::Api',
  nameProperty: 'Name',
  properties: z.strictObject({
    Name: z.string(),
    ProtocolType: z.literal('HTTP', 'only HTTP APIs run here'),
    CorsConfiguration: cors.optional(),
    DisableExecuteApiEndpoint: z.literal(false, 'the local gateway is that endpoint').optional(),
  }),
  attributes: {
    ApiId: ({ name }) => name,
    ApiEndpoint: ({ endpoints }) => endpoints.api,
  },
});

export const httpStage = resourceKind({
  type: 'AWS::ApiGatewayV2::Stage',
  properties: z.strictObject({
    ApiId: z.string(),
    // Any other stage name becomes a prefix of every path.
    StageName: z.literal('$default', 'only the stage $default is served here'),
    AutoDeploy: z.literal(true, 'only deployed routes can be served').optional(),
  }),
  ignored: {
    AccessLogSettings: ignoreReasons.singleLog,
    DefaultRouteSettings: 'there is no throttling here',
    RouteSettings: 'there is no throttling here',
  },
});

export const httpIntegration = resourceKind({
  type: 'AWS::ApiGatewayV2::Integration',
  properties: z.strictObject({
    ApiId: z.string(),
    IntegrationType: z.literal('AWS_PROXY', 'only Lambda proxy integrations run here'),
    IntegrationUri: z.string().regex(/:function:/, 'only the ARN of a function is supported'),
    PayloadFormatVersion: z.literal('2.0', 'only payload format 2.0 is supported'),
    TimeoutInMillis: z.int().min(50).max(30_000).default(30_000),
  }),
  ignored: {
    IntegrationMethod: 'a function is always invoked with POST',
  },
});

export const httpRoute = resourceKind({
  type: 'AWS::ApiGatewayV2::Route',
  properties: z.strictObject({
    ApiId: z.string(),
    RouteKey: z.string().regex(/^(\$default|[A-Z]+ \/\S*)$/, 'expected $default, or a method and a path'),
    Target: z.string().startsWith('integrations/', 'only integrations are supported'),
    AuthorizationType: z.literal('NONE', 'there are no authorizers here').optional(),
  }),
  ignored: { OperationName: 'a description' },
});
