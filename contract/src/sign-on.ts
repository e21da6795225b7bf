import * as z from 'zod'
import { operation } from './operation.ts'
import { text } from './wire.ts'

/** Begins a single sign-on (A4.3-01). Returns the URL of the identity provider's sign-in page. */
export const beginSignOn = operation({
  method: 'POST',
  path: '/proxy/beginSignOn',
  as: 'visitor',
  summary: 'Begins a single sign-on, and returns the address to sign in at.',
  input: z.object({
    /** The page of this site to show afterwards. */
    back: text(2000).default('/'),
  }),
  output: z.object({ url: z.string() }),
  errors: ['signOnNotAllowed', 'identityProviderSilent', 'slowDown'],
})

/** Completes a single sign-on with the callback URL's query string (A2.1-02). Sets the browser's cookies. */
export const finishSignOn = operation({
  method: 'POST',
  path: '/proxy/finishSignOn',
  as: 'visitor',
  summary: 'Completes a single sign-on with the query of the callback address.',
  input: z.object({ query: text(10_000) }),
  output: z.object({ access_token: z.string(), back: z.string() }),
  errors: ['authenticationFailed', 'signOnNotAllowed', 'identityProviderSilent', 'slowDown'],
})
