/** Resource types that have no meaning on one machine, each with the reason. They may be referenced, not run. */
export const ignoredTypes: Readonly<Record<string, string>> = {
  'AWS::CDK::Metadata': 'tells AWS which constructs were used',
  'AWS::CloudWatch::Alarm': 'there are no metrics here',
  'AWS::CloudWatch::Dashboard': 'there are no metrics here',
  'AWS::IAM::ManagedPolicy': 'permissions are not enforced here; assertions on the template hold them',
  'AWS::IAM::Policy': 'permissions are not enforced here; assertions on the template hold them',
  'AWS::IAM::Role': 'permissions are not enforced here; assertions on the template hold them',
  'AWS::Lambda::Permission': 'permissions are not enforced here; assertions on the template hold them',
  'AWS::Logs::LogGroup': 'everything is logged to one place here',
  'AWS::S3::BucketPolicy': 'permissions are not enforced here; assertions on the template hold them',
  'AWS::SNS::Subscription': 'there are no alarms here',
  'AWS::SNS::Topic': 'there are no alarms here',
  'AWS::SNS::TopicPolicy': 'there are no alarms here',
  'AWS::SQS::QueuePolicy': 'permissions are not enforced here; assertions on the template hold them',
};
