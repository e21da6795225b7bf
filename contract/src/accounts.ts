import * as z from 'zod'
import { operation } from './operation.ts'
import { parentalProof } from './parental-proof.ts'
import { profile } from './profiles.ts'
import { text } from './wire.ts'

/** Grant type for signing in with an access token of the operator's identity provider (RFC 8693). */
export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'

/**
 * Signs in (A7.3-02): with a user name and a password, or with an access token of the operator's identity provider
 * in `subject_token`. The answer also sets the account token as a cookie for browsers.
 */
export const oauthToken = operation({
  name: 'oauthToken',
  method: 'POST',
  path: '/oauth/token',
  as: 'visitor',
  answer: 'bare',
  summary: 'Signs in with a user name and a password, or with an access token of the identity provider.',
  input: z.object({
    username: text(254).optional(),
    password: z.string().max(1000).optional(),
    client_id: text(100).optional(),
    subject_token: z.string().max(10_000).optional(),
    grant_type: z.enum(['password', TOKEN_EXCHANGE]),
  }),
  output: z.object({ access_token: z.string(), token_type: z.literal('Bearer'), expires_in: z.int() }),
  errors: [
    'signInFailed',
    'slowDown',
    'accountNotActivated',
    'authenticationFailed',
    'signOnNotAllowed',
    'identityProviderSilent',
    'forbidden',
  ],
})

/** Statuses of an account (A3-04). */
const accountStatus = z.enum(['ACTIVE', 'INACTIVE', 'PENDING_ACTIVATION', 'SUSPENDED', 'BANNED', 'ARCHIVED'])

/** The signed-in account (A7.1-04). */
export const accountDetails = operation({
  method: 'POST',
  path: '/proxy/accountDetails',
  as: 'account',
  summary: 'The account that is signed in.',
  input: z.object({ parentalProof }),
  output: z.object({
    /** The customer number. */
    id: z.int(),
    title: z.string(),
    email: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    phoneNumber: z.string(),
    addressStreet: z.string(),
    addressSecondStreet: z.string(),
    addressThirdStreet: z.string(),
    addressNumber: z.string(),
    addressCity: z.string(),
    addressState: z.string(),
    addressZip: z.string(),
    addressCountry: z.string(),
    allowNews: z.boolean(),
    /** The date of birth, in digits without padding; empty when unknown. */
    metadatas: z.object({ birthYear: z.string(), birthMonth: z.string(), birthDay: z.string() }),
    language: z.string(),
    status: accountStatus,
    additionalInformation: z.object({
      /** Empty until the viewer has answered the consent dialog. */
      consent_status: z.enum(['', 'accepted', 'declined']),
      /** Seconds since the epoch. */
      consent_timestamp: z.number().nullable(),
      consent_version: z.string(),
    }),
    /** Whether the account has a password. False for accounts that sign in at an identity provider. */
    hasPassword: z.boolean(),
    /** A new e-mail address that is not yet confirmed. */
    pendingEmail: z.string().nullable(),
  }),
})

/** Signs out. The call never fails (A7.1-11). */
export const logout = operation({
  method: 'POST',
  path: '/proxy/logout',
  as: 'visitor',
  summary: 'Signs out.',
  input: z.object({}),
  output: z.null(),
  otherwise: null,
})

/** Returns the signed-in account, its active profile and its storefront in one call, for every page. */
export const session = operation({
  method: 'POST',
  path: '/proxy/session',
  as: 'visitor',
  summary: 'The signed-in account and its active profile.',
  input: z.object({}),
  output: z.object({
    account: z
      .object({
        id: z.int(),
        firstName: z.string(),
        /** Last name of the account's holder. Empty for a child's profile; `email` is empty too. */
        lastName: z.string(),
        email: z.string(),
        status: accountStatus,
        /** When the account token expires, in seconds since the epoch (A4.4-02). */
        tokenExpiresAt: z.number(),
        /** Whether the account may have several profiles, or already has several (V1-12, spec 31). */
        isMultiProfile: z.boolean(),
      })
      .nullable(),
    profile: profile.nullable(),
    storefront: z.object({ name: z.string(), demonstration: z.boolean() }),
    /** The service's clock, in seconds since the epoch. */
    now: z.number(),
  }),
})
export type Session = z.infer<typeof session.output>
