import { oauthToken } from '@ondine/contract/accounts'
import { emailAddress } from '@ondine/contract/form-fields'

const { password } = oauthToken.input.shape

/** What the sign-in form is checked by (A5-02, A5-05). */
export const signInForm = oauthToken.input
  .pick({ username: true, password: true })
  .extend({ username: emailAddress, password: password.min(1) })
