import { type Command, CommandError } from '../../../control/commands.ts'
import { StorefrontError } from '../../settings/storefronts/storefronts.service.ts'
import { holdingsOf, removeStorefront } from './remove-storefront.ts'

const REACHED_BY_OPTIONS = [
  { flags: '--hosts <names>', summary: 'host names of the storefront, separated by commas' },
  {
    flags: '--networks <networks>',
    summary: 'networks whose clients see the storefront, such as 192.0.2.0/24,2001:db8::/32',
  },
]

/** `storefronts create`: adds a storefront to the installation. */
export const createStorefrontCommand: Command = {
  name: 'storefronts create',
  summary: 'Create a storefront with its own accounts, configuration and look.',
  arguments: [
    { name: 'apiKey', summary: 'names the storefront in calls (x-identity-key)' },
    { name: 'name', summary: 'the name that viewers read' },
  ],
  options: REACHED_BY_OPTIONS,
  run: async ({ storefronts }, { arguments: [apiKey = '', name = ''], options }, { report }) => {
    try {
      const { id } = await storefronts.create({
        apiKey,
        name,
        hosts: listOf(options.hosts),
        networks: listOf(options.networks),
      })
      report({ text: `Created the storefront ${apiKey}, number ${id}.` })
    } catch (error) {
      throw error instanceof StorefrontError ? new CommandError(error.message) : error
    }
  },
}

/** `storefronts set`: changes the name, the hosts or the networks of a storefront. */
export const setStorefrontCommand: Command = {
  name: 'storefronts set',
  summary: 'Change a storefront. An option replaces earlier values; "" removes hosts or networks.',
  arguments: [{ name: 'apiKey', summary: 'the storefront' }],
  options: [{ flags: '--name <name>', summary: 'the name that viewers read' }, ...REACHED_BY_OPTIONS],
  run: async ({ storefronts }, { arguments: [apiKey = ''], options }, { report }) => {
    const storefront = storefronts.of(apiKey)
    if (!storefront) throw new CommandError(`There is no storefront ${apiKey}.`)
    const { name, hosts, networks } = options
    try {
      await storefronts.change(storefront, {
        ...(typeof name === 'string' && { name }),
        ...(hosts !== undefined && { hosts: listOf(hosts) }),
        ...(networks !== undefined && { networks: listOf(networks) }),
      })
      report({ text: `Changed the storefront ${apiKey}.` })
    } catch (error) {
      throw error instanceof StorefrontError ? new CommandError(error.message) : error
    }
  },
}

export const listStorefrontsCommand: Command = {
  name: 'storefronts list',
  summary: 'List the storefronts.',
  arguments: [],
  run: async ({ storefronts }, _input, { report }) => {
    for (const { apiKey, name, hosts, networks } of storefronts.list()) {
      const reached = [...hosts, ...networks].join(', ')
      report({ text: `${apiKey}: ${name}${reached === '' ? '' : ` (${reached})`}` })
    }
  },
}

/**
 * `storefronts remove`: shows the amounts of data that belong only to the storefront. Removes the storefront only if
 * the option `--accounts` gives its number of accounts, as a confirmation.
 */
export const removeStorefrontCommand: Command = {
  name: 'storefronts remove',
  summary: 'Remove a storefront for good. Without --accounts, only report what would be removed.',
  arguments: [{ name: 'apiKey', summary: 'the storefront' }],
  options: [
    { flags: '--accounts <count>', summary: 'the number of accounts to remove, as the command reports it' },
  ],
  run: async (context, { arguments: [apiKey = ''], options }, { report }) => {
    const { db, storefronts } = context
    const storefront = storefronts.of(apiKey)
    if (!storefront) throw new CommandError(`There is no storefront ${apiKey}.`)
    if (storefront.id === storefronts.first().id)
      throw new CommandError(`${apiKey} is the first storefront, which cannot be removed.`)
    const holds = await holdingsOf(db, storefront.id)
    const { accounts, profiles, texts, revisions } = holds
    report({
      text: [
        `Removing ${apiKey} (${storefront.name}) deletes for good:`,
        `  accounts: ${accounts}, with profiles: ${profiles}`,
        `  articles and pages: ${texts}`,
        `  revisions of its configuration, words and menus: ${revisions}`,
        'Records that accounting must keep stay, without names.',
      ].join('\n'),
    })
    if (options.accounts === undefined) {
      report({
        text: `Nothing was removed. To remove it: storefronts remove ${apiKey} --accounts ${accounts}`,
      })
      return
    }
    if (options.accounts !== String(accounts))
      throw new CommandError(`Accounts: ${accounts}, not ${String(options.accounts)}. Nothing was removed.`)
    await removeStorefront(context, storefront)
    report({ text: `Removed the storefront ${apiKey}.` })
  },
}

function listOf(option: unknown): string[] {
  const written = typeof option === 'string' ? option.trim() : ''
  return written === '' ? [] : written.split(',').map((each) => each.trim())
}
