export type Resource = { Type: string; Properties?: Record<string, unknown>; Condition?: string };

const assets = 'cdk-hnb659fds-assets-${AWS::AccountId}-${AWS::Region}';
const images =
  '${AWS::AccountId}.dkr.ecr.${AWS::Region}.${AWS::URLSuffix}/cdk-hnb659fds-container-assets-${AWS::AccountId}-${AWS::Region}';

/** A function with the file asset `asset`, as in a CDK template. */
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

/** A function with the image asset `asset`, as in a CDK template. */
export function anImageFunctionResource(asset: string, properties: Record<string, unknown> = {}): Resource {
  return {
    Type: 'AWS::Lambda::Function',
    Properties: {
      Code: { ImageUri: { 'Fn::Sub': `${images}:${asset}` } },
      ImageConfig: { Command: ['index.handler'] },
      PackageType: 'Image',
      Timeout: 20,
      Role: { 'Fn::GetAtt': ['Role', 'Arn'] },
      ...properties,
    },
  };
}

/** A role without any policy, as the functions and state machines of these builders have it. */
export const aRole: Resource = {
  Type: 'AWS::IAM::Role',
  Properties: { AssumeRolePolicyDocument: { Version: '2012-10-17', Statement: [] } },
};

/** What `aRole` may do: each statement allows its actions on its resources. */
export function aRolePolicy(statements: { Action: string[]; Resource: unknown }[]): Resource {
  return {
    Type: 'AWS::IAM::Policy',
    Properties: {
      PolicyName: 'role-policy',
      PolicyDocument: {
        Version: '2012-10-17',
        Statement: statements.map((statement) => ({ Effect: 'Allow', ...statement })),
      },
      Roles: [{ Ref: 'Role' }],
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
    api[`Permission${index}`] = {
      Type: 'AWS::Lambda::Permission',
      Properties: {
        Action: 'lambda:InvokeFunction',
        FunctionName: { 'Fn::GetAtt': [functionId, 'Arn'] },
        Principal: 'apigateway.amazonaws.com',
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
