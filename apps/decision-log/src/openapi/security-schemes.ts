/** How a caller can say who it is (R62); the control plane knows the tokens. */
export const SECURITY_SCHEMES = {
  token: { type: 'http', scheme: 'bearer', description: 'A token of the control plane: of `POST /v1/tokens` (`slu_…`), or one of its environment.' },
  oidc: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'An access token of the OIDC issuer that the control plane is configured with.' },
} as const;
