import * as z from 'zod'
import { ACCOUNT_SHAPE, IDENTITY_SHAPE, REGISTRATION_SHAPE } from './account-fields.ts'
import { NO_LINE } from './account-names.ts'
import { accountPassword } from './account-password.ts'
import { CONSENT_VERSION_MAX } from './constants.ts'
import type { FieldFault } from './field-faults.ts'
import { accountEmail } from './form-fields.ts'
import { operation } from './operation.ts'
import { parentalProof } from './parental-proof.ts'
import { flag, json, text } from './wire.ts'

const required: FieldFault = 'requiredField'
const different: FieldFault = 'passwordsDiffer'

/**
 * Returns the schema for one line of a postal address. A client may send {@link NO_LINE} for an empty line. The
 * schema converts it to an empty string (A5-14).
 */
function part(field: z.ZodType<string, string>) {
  return z
    .string()
    .transform((value) => (value.trim() === NO_LINE ? '' : value))
    .pipe(field)
    .default('')
}

const address = {
  addressStreet: part(ACCOUNT_SHAPE.addressStreet),
  addressSecondStreet: part(ACCOUNT_SHAPE.addressSecondStreet),
  addressThirdStreet: part(ACCOUNT_SHAPE.addressThirdStreet),
  addressNumber: part(ACCOUNT_SHAPE.addressNumber),
  addressCity: part(ACCOUNT_SHAPE.addressCity),
  addressState: part(ACCOUNT_SHAPE.addressState),
  addressZip: part(ACCOUNT_SHAPE.addressZip),
  addressCountry: part(ACCOUNT_SHAPE.addressCountry),
}

/** A password and its confirmation. */
const twice = { password: accountPassword, passwordConfirm: accountPassword }

/** The token in the link of an e-mail. */
const linkToken = text(200).min(1, required)

/**
 * Creates an account. The holder activates it by a link in an e-mail (A7.1-01). If the e-mail address already has
 * an account, the call returns the same answer, and the service informs that account's holder by e-mail.
 */
export const createAccount = operation({
  method: 'POST',
  path: '/proxy/createAccount',
  as: 'visitor',
  summary: 'Creates an account. Its holder activates it by a link in an e-mail.',
  input: z.object({
    ...REGISTRATION_SHAPE,
    ...twice,
    ...address,
    title: ACCOUNT_SHAPE.title.default(''),
    phoneNumber: ACCOUNT_SHAPE.phoneNumber.default(''),
    dateofbirth: ACCOUNT_SHAPE.birthdate.default(''),
    language: ACCOUNT_SHAPE.language.default(''),
    allowNews: flag.default(false),
    acceptTerms: flag.refine((accepted) => accepted, required),
  }),
  output: z.null(),
  errors: ['invalidInput', 'newPasswordPolicy', 'countryInvalid', 'forbidden', 'slowDown'],
})

/** Activates an account, or confirms an account's new e-mail address (A7.1-02). A link works once. */
export const validateAccount = operation({
  method: 'POST',
  path: '/proxy/validateAccount',
  as: 'visitor',
  summary: 'Activates an account, or confirms a new e-mail address, by the token of a link.',
  input: z.object({ email: accountEmail.optional(), token: linkToken }),
  output: z.null(),
  errors: ['linkExpired', 'usernameTaken', 'slowDown'],
})

/** Sends the link of {@link createAccount} again (A7.1-03). The answer does not reveal whether the account exists. */
export const resendAccountActivationEmail = operation({
  method: 'POST',
  path: '/proxy/resendAccountActivationEmail',
  as: 'visitor',
  summary: 'Sends the activation link of an account again.',
  input: z.object({ email: accountEmail }),
  output: z.null(),
  errors: ['slowDown'],
})

/**
 * Sends an e-mail with a link to set a new password (A7.1-08). The answer does not reveal whether the account
 * exists.
 */
export const askResetPassword = operation({
  method: 'POST',
  path: '/proxy/askResetPassword',
  as: 'visitor',
  summary: 'Sends a link for setting a new password.',
  input: z.object({ email: accountEmail }),
  output: z.null(),
  errors: ['forbidden', 'slowDown'],
})

/**
 * Sets a new password (A7.1-09). The call needs the token of the link that {@link askResetPassword} sent. All signed-in
 * devices must sign in again.
 */
export const resetPassword = operation({
  method: 'POST',
  path: '/proxy/resetPassword',
  as: 'visitor',
  summary: 'Sets a new password by the token of a link.',
  input: z.object({ token: linkToken, ...twice }).refine((sent) => sent.password === sent.passwordConfirm, {
    path: ['passwordConfirm'],
    message: different,
  }),
  output: z.null(),
  errors: ['linkExpired', 'newPasswordPolicy', 'newPasswordSame', 'forbidden', 'slowDown'],
})

/**
 * Changes the password of the signed-in account (A7.1-07). This browser stays signed in. All other devices must sign in
 * again.
 */
export const updatePassword = operation({
  method: 'POST',
  path: '/proxy/updatePassword',
  as: 'account',
  summary: 'Changes the password.',
  input: z
    .object({ currentPassword: accountPassword, ...twice, parentalProof })
    .refine((sent) => sent.password === sent.passwordConfirm, {
      path: ['passwordConfirm'],
      message: different,
    }),
  output: z.object({ newAuthToken: z.string() }),
  errors: ['signInFailed', 'newPasswordPolicy', 'newPasswordSame', 'slowDown'],
})

/** The viewer's answer to the consent dialog. The service adds the time of the answer (A3-03, A4.5-05). */
const additionalInformation = z.object({
  consent_status: z.enum(['accepted', 'declined']),
  /** Identifies the version of the consent text that the page showed. */
  consent_version: z.string().max(CONSENT_VERSION_MAX).optional(),
})

/**
 * Changes only the given details of the account (A7.1-05). A new e-mail address takes effect when the viewer opens
 * the link sent to it. Until then, `pendingEmail` of the account contains the new address.
 */
export const changeDetails = operation({
  method: 'POST',
  path: '/proxy/changeDetails',
  as: 'account',
  summary: 'Changes the details of the account. A new e-mail address takes effect after its confirmation.',
  input: z.object({
    title: ACCOUNT_SHAPE.title.optional(),
    firstName: IDENTITY_SHAPE.firstName.optional(),
    lastName: ACCOUNT_SHAPE.lastName.optional(),
    email: accountEmail.optional(),
    phoneNumber: ACCOUNT_SHAPE.phoneNumber.optional(),
    language: ACCOUNT_SHAPE.language.optional(),
    allowNews: flag.optional(),
    dateofbirth: ACCOUNT_SHAPE.birthdate.optional(),
    additionalInformation: json(additionalInformation).optional(),
    /**
     * Required for a new e-mail address if the account has a password, because a person who reads e-mails to the
     * address can take over the account.
     */
    currentPassword: accountPassword.optional(),
    parentalProof,
  }),
  output: z.object({ pendingEmail: z.string().nullable() }),
  errors: ['invalidInput', 'signInFailed', 'slowDown'],
})

/** Replaces the postal address of an account (A7.1-06). */
export const changeAddress = operation({
  method: 'POST',
  path: '/proxy/changeAddress',
  as: 'account',
  summary: 'Changes the postal address of the account.',
  input: z.object({ ...address, parentalProof }),
  output: z.null(),
  errors: ['invalidInput', 'countryInvalid'],
})

/**
 * Deletes the account. All data that identifies the holder is removed. Records that the law requires for
 * accounting remain without a name (A7.1-10).
 */
export const anonymizeMe = operation({
  method: 'POST',
  path: '/proxy/anonymizeMe',
  as: 'account',
  summary: 'Deletes the account by anonymisation.',
  input: z.object({ parentalProof }),
  output: z.null(),
})

/** Returns a new account token for a device token, or for an account token that is still valid (A4.4-02, A7.1-12). */
export const loginDevice = operation({
  method: 'POST',
  path: '/proxy/loginDevice',
  as: 'visitor',
  summary: 'Renews the account token.',
  input: z.object({}),
  output: z.object({ newAuthToken: z.string() }),
  errors: ['tokenInvalid'],
})

/** The password rules of a storefront (A7.2-03). */
export const getPasswordPolicy = operation({
  method: 'GET',
  path: '/proxy/getPasswordPolicy',
  as: 'visitor',
  summary: 'The rules for passwords.',
  input: z.object({}),
  output: z.object({
    minimumCharacters: z.int(),
    upperCaseEnabled: z.boolean(),
    numbersEnabled: z.boolean(),
    alphabeticalEnabled: z.boolean(),
    specialCharacterEnabled: z.boolean(),
    specialCharacters: z.string(),
  }),
})
