import { Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import { readSettings } from '../../lib/settings/read-settings.ts';
import { synthesizedStage } from '../builders/template/synthesized-stage.ts';
import { resourcesOf, theOnly } from '../builders/template/template-resources.ts';

const settings = { identityProvider: 'cognito', alarmEmail: 'ops@example.com' };
const { service } = synthesizedStage({ settings });
const named = synthesizedStage({
  settings: { ...settings, account: '123456789012', region: 'eu-central-1', domain: { name: 'media.example.com' } },
  prepare: (app) => Validations.of(app).addPlugins(new AwsSolutionsChecks(app)),
}).service;

const text = (value: unknown) => JSON.stringify(value);

describe('identityProvider "cognito"', () => {
  it('is a user pool that nobody signs up to, whose first user is invited by e-mail', () => {
    expect(theOnly(service, 'AWS::Cognito::UserPool')).toMatchObject({
      AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
      UsernameAttributes: ['email'],
    });
    expect(theOnly(service, 'AWS::Cognito::UserPoolUser')).toMatchObject({
      Username: 'ops@example.com',
      DesiredDeliveryMediums: ['EMAIL'],
    });
  });

  it('has the dashboard as a public client with the code grant, at the address of the stage', () => {
    expect(theOnly(named, 'AWS::Cognito::UserPoolClient')).toMatchObject({
      GenerateSecret: false,
      AllowedOAuthFlows: ['code'],
      AllowedOAuthFlowsUserPoolClient: true,
      CallbackURLs: ['https://media.example.com/app/signed-in'],
      LogoutURLs: ['https://media.example.com/app/'],
    });
    const { CallbackURLs } = theOnly(service, 'AWS::Cognito::UserPoolClient');
    expect(text(CallbackURLs)).toMatch(/EdgeDistribution\w+","DomainName"\]\},"\/app\/signed-in"/);
  });

  it('is what functions and dashboard know: issuer, client, and the sign-out page that needs client_id and logout_uri', () => {
    const [client] = Object.keys(named.findResources('AWS::Cognito::UserPoolClient'));
    const [pool] = Object.keys(named.findResources('AWS::Cognito::UserPool'));
    const variables = resourcesOf(named, 'AWS::Lambda::Function').map(
      ({ Environment }) => (Environment as { Variables?: Record<string, unknown> })?.Variables ?? {},
    );
    const known = variables.find(({ OIDC_ISSUER }) => OIDC_ISSUER !== undefined);
    expect(known).toMatchObject({
      OIDC_ISSUER: { 'Fn::Join': ['', ['https://cognito-idp.eu-central-1.amazonaws.com/', { Ref: pool }]] },
      OIDC_AUDIENCE: { Ref: client },
      OIDC_AUDIENCE_CLAIM: 'client_id',
    });
    const pages = resourcesOf(named, 'Custom::CDKBucketDeployment').find(
      ({ DestinationBucketKeyPrefix }) => DestinationBucketKeyPrefix === 'app',
    );
    expect(text(pages)).toContain(client);
    const policies = text(resourcesOf(named, 'AWS::CloudFront::ResponseHeadersPolicy'));
    expect(policies).toContain('connect-src');
    expect(policies).toContain('https://cognito-idp.eu-central-1.amazonaws.com');
    expect(policies).toContain('.auth.eu-central-1.amazoncognito.com');
  });

  it('needs the address of the first user', () => {
    expect(() => readSettings({ dev: { identityProvider: 'cognito' } }, 'dev')).toThrow('Setting "alarmEmail"');
  });
});
