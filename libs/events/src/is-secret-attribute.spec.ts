import { STANDARD_ATTRIBUTES } from './decision-event.js';
import { isSecretAttribute } from './is-secret-attribute.js';

describe('R80 names of attributes that hold secrets', () => {
  it.each([
    ...['auth', 'x-auth', 'authorization', 'Authorization', 'proxy-authorization', 'bearer', 'session', 'sessionid', 'sessionId', 'session_id', 'credentials', 'credential', 'cookie', 'Cookies', 'set-cookie', 'jwt'],
    ...['token', 'tokens', 'accessToken', 'access_token', 'apiToken', 'APIToken', 'id:token', 'x-csrf-token', 'private_key', 'privateKey', 'signature', 'x-amz-signature', 'clientSecret', 'client-secrets', 'user.password', 'passwd', 'passphrase'],
    ...['apikey', 'apiKey', 'API_KEY', 'x-api-key', 'x-api-keys', 'api/key', 'secret_key', 'accessKey'],
  ])('%s is one', (name) => {
    expect(isSecretAttribute(name)).toBe(true);
  });

  it.each([...STANDARD_ATTRIBUTES, 'token_type', 'authority', 'author', 'keys', 'api', 'region', 'device', 'session_length', 'secretary', 'x-request-id', 'password_age', 'cookie2name', '_', '7'])('%s is none', (name) => {
    expect(isSecretAttribute(name)).toBe(false);
  });
});
