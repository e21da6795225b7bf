import { emailAddress } from '@ondine/contract/form-fields'
import { type Command, CommandError } from '../../../control/commands.ts'
import { createAccount } from '../profiles/new-account.service.ts'

/** `accounts create`: creates an account from the command line. */
export const createAccountCommand: Command = {
  name: 'accounts create',
  summary: 'Create an account; its password is read from --password or from ONDINE_PASSWORD.',
  arguments: [{ name: 'email', summary: 'its e-mail address' }],
  options: [
    {
      flags: '--password <password>',
      summary: 'its password, 8 characters or more; other users of this machine may see it',
      environment: 'ONDINE_PASSWORD',
    },
    { flags: '--name <name>', summary: 'first name of the account and name of its profile' },
    { flags: '--storefront <apiKey>', summary: "API key of the account's storefront" },
  ],
  run: async ({ db, storefronts, configurations }, { arguments: [email = ''], options }, { report }) => {
    const password = typeof options.password === 'string' ? options.password : ''
    if (!emailAddress.safeParse(email).success) throw new CommandError(`${email} is not an e-mail address.`)
    if (password.length < 8)
      throw new CommandError(
        'Give a password of at least 8 characters in ONDINE_PASSWORD or with --password.',
      )
    const storefront = storefronts.of(typeof options.storefront === 'string' ? options.storefront : undefined)
    if (!storefront) throw new CommandError('There is no storefront with that api key.')
    const { account, created } = await createAccount(db, storefront.id, {
      email,
      password,
      language: configurations.of(storefront.id).languages.default,
      ...(typeof options.name === 'string' ? { firstName: options.name } : {}),
    })
    if (!created) throw new CommandError(`${account.email} already has an account.`)
    report({ text: `Created the account ${account.email}, number ${account.id}.` })
  },
}
