/**
 * Returns whether viewers of a storefront can sign in at an identity provider (A4.3-01). `ssoUrl` alone is not enough,
 * because the provider verifies the tokens of that page.
 */
export function hasIdentityProvider({ issuer, clientId }: { issuer: string; clientId: string }): boolean {
  return issuer !== '' && clientId !== ''
}
