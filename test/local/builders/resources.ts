import type { Resource } from './an-assembly.ts';

const assets = 'cdk-hnb659fds-assets-${AWS::AccountId}-${AWS::Region}';
const images =
  '${AWS::AccountId}.dkr.ecr.${AWS::Region}.${AWS::URLSuffix}/cdk-hnb659fds-container-assets-${AWS::AccountId}-${AWS::Region}';

/** A function of the file asset `asset`, as CDK writes it. */
export function aFunctionResource(asset: string, properties: Record<string, unknown> = {}): Resource {
  return {
    Type: 'AWS::Lambda::Function',
    Properties: {
      Code: { S3Bucket: { 'Fn::Sub': assets }, S3Key: `${asset}.zip` },
      Handler: 'index.handler',
      Runtime: 'nodejs24.x',
      Timeout: 20,
      MemorySize: 128,
      Role: { 'Fn::GetAtt': ['Role', 'Arn'] },
      ...properties,
    },
  };
}

/** A function of the image asset `asset`, as CDK writes it. */
export function anImageFunctionResource(asset: string, properties: Record<string, unknown> = {}): Resource {
  return {
    Type: 'AWS::Lambda::Function',
    Properties: {
      Code: { ImageUri: { 'Fn::Sub': `${images}:${asset}` } },
      ImageConfig: { Command: ['index.handler'] },
      PackageType: 'Image',
      Timeout: 20,
      ...properties,
    },
  };
}

/** An HTTP API with one route per function: route key -> logical id of the function. */
export function anHttpApi(routes: Record<string, string>, cors?: object): Record<string, Resource> {
  const api: Record<string, Resource> = {
    Api: {
      Type: 'AWS::ApiGatewayV2::Api',
      Properties: { Name: 'api', ProtocolType: 'HTTP', ...(cors ? { CorsConfiguration: cors } : {}) },
    },
    Stage: {
      Type: 'AWS::ApiGatewayV2::Stage',
      Properties: { ApiId: { Ref: 'Api' }, StageName: '$default', AutoDeploy: true },
    },
  };
  for (const [index, [routeKey, functionId]] of Object.entries(routes).entries()) {
    api[`Integration${index}`] = {
      Type: 'AWS::ApiGatewayV2::Integration',
      Properties: {
        ApiId: { Ref: 'Api' },
        IntegrationType: 'AWS_PROXY',
        IntegrationUri: { 'Fn::GetAtt': [functionId, 'Arn'] },
        PayloadFormatVersion: '2.0',
      },
    };
    api[`Route${index}`] = {
      Type: 'AWS::ApiGatewayV2::Route',
      Properties: {
        ApiId: { Ref: 'Api' },
        RouteKey: routeKey,
        AuthorizationType: 'NONE',
        Target: { 'Fn::Join': ['', ['integrations/', { Ref: `Integration${index}` }]] },
      },
    };
  }
  return api;
}
