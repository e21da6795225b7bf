import * as z from 'zod'
import { operation } from './operation.ts'
import { text } from './wire.ts'

/** Begins a single sign-on (A4.3-01): where the browser goes to sign in. */
export const beginSignOn = operation({
  method: 'POST',
  path: '/proxy/beginSignOn',
  as: 'visitor',
  summary: 'Begins a single sign-on: gives the address to sign in at.',
  input: z.object({
    /** The page of this site that follows. */
    back: text(2000).default('/'),
  }),
  output: z.object({ url: z.string() }),
  errors: ['signOnNotAllowed', 'identityProviderSilent', 'slowDown'],
})

/** Ends a single sign-on with what came back in the address of the callback (A2.1-02). The browser gets its cookies. */
export const finishSignOn = operation({
  method: 'POST',
  path: '/proxy/finishSignOn',
  as: 'visitor',
  summary: 'Ends a single sign-on with the query that the callback was opened with.',
  input: z.object({ query: text(10_000) }),
  output: z.object({ access_token: z.string(), back: z.string() }),
  errors: ['authenticationFailed', 'signOnNotAllowed', 'identityProviderSilent', 'slowDown'],
})
