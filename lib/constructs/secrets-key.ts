import { RemovalPolicy } from 'aws-cdk-lib';
import { Alias, Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';

/** Encrypts the secrets of storage providers. Without it they are lost, so it outlives the stack. */
export class SecretsKey extends Construct {
  constructor(scope: Construct, id: string, { alias }: { alias: string }) {
    super(scope, id);
    const key = new Key(this, 'Key', { enableKeyRotation: true, removalPolicy: RemovalPolicy.RETAIN });
    new Alias(this, 'Alias', { aliasName: alias, targetKey: key, removalPolicy: RemovalPolicy.RETAIN });
  }
}
