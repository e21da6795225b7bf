import * as z from 'zod'
import { operation } from './operation.ts'
import { id, text } from './wire.ts'

/** Signs in (A7.3-02). The browser gets the token as a cookie too. */
export const oauthToken = operation({
  name: 'oauthToken',
  method: 'POST',
  path: '/oauth/token',
  as: 'visitor',
  answer: 'bare',
  summary: 'Signs in with a user name and a password.',
  input: z.object({
    username: text(254),
    password: z.string().max(1000),
    client_id: text(100).optional(),
    grant_type: z.literal('password'),
  }),
  output: z.object({ access_token: z.string(), token_type: z.literal('Bearer'), expires_in: z.int() }),
  errors: ['signInFailed', 'slowDown', 'accountNotActivated'],
})

/** Statuses of an account (A3-04). */
export const accountStatus = z.enum([
  'ACTIVE',
  'INACTIVE',
  'PENDING_ACTIVATION',
  'SUSPENDED',
  'BANNED',
  'ARCHIVED',
])

/** Who is signed in (A7.1-04). */
export const accountDetails = operation({
  method: 'POST',
  path: '/proxy/accountDetails',
  as: 'account',
  summary: 'The account that is signed in.',
  input: z.object({}),
  output: z.object({
    id: z.int(),
    email: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    language: z.string(),
    status: accountStatus,
  }),
})

/** A viewer of the account (A3-08). */
export const profile = z.object({
  id: z.int(),
  name: z.string(),
  language: z.string(),
  kidProfile: z.boolean(),
  default: z.boolean(),
  maximumMoralityLevel: z.int(),
})
export type Profile = z.infer<typeof profile>

/** The account's profiles, the default one first (A7.3-03). */
export const listProfiles = operation({
  name: 'listProfiles',
  method: 'GET',
  path: '/crm/profile',
  as: 'account',
  summary: 'The profiles of the account.',
  input: z.object({}),
  output: z.array(profile),
})

/** Chooses who watches (A7.3-08). */
export const activateProfile = operation({
  name: 'activateProfile',
  method: 'POST',
  path: '/crm/profile/active',
  as: 'account',
  summary: 'Makes a profile the active one.',
  input: z.object({ idProfile: id }),
  output: z.object({ profileToken: z.string() }),
  errors: ['notFound'],
})

/** Signs out; never an error (A7.1-11). */
export const logout = operation({
  method: 'POST',
  path: '/proxy/logout',
  as: 'visitor',
  summary: 'Signs out.',
  input: z.object({}),
  output: z.null(),
  otherwise: null,
})

/** Everything that a page needs to know of who looks at it, in one call. */
export const session = operation({
  method: 'POST',
  path: '/proxy/session',
  as: 'visitor',
  summary: 'Who is signed in, with which profile.',
  input: z.object({}),
  output: z.object({
    account: z
      .object({
        id: z.int(),
        firstName: z.string(),
        lastName: z.string(),
        email: z.string(),
        status: accountStatus,
      })
      .nullable(),
    profile: profile.nullable(),
    storefront: z.object({ name: z.string(), demonstration: z.boolean() }),
    /** The service's clock, in seconds since the epoch. */
    now: z.number(),
  }),
})
export type Session = z.infer<typeof session.output>
