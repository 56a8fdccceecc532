/** How a caller can say who it is (R62); both in `Authorization: Bearer`. */
export const SECURITY_SCHEMES = {
  token: { type: 'http', scheme: 'bearer', description: 'A token of `POST /v1/tokens` (`slu_…`), or one of the environment.' },
  oidc: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'An access token of the OIDC issuer, where one is configured.' },
} as const;
