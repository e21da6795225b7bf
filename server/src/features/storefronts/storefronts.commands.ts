import { type Command, CommandError } from '../../control/commands.ts'
import { StorefrontError } from './storefronts.service.ts'

/** `storefronts create`: another face of the same installation. */
export const createStorefrontCommand: Command = {
  name: 'storefronts create',
  summary: 'Make a storefront with accounts, a configuration and a look of its own.',
  arguments: [
    { name: 'apiKey', summary: 'names it in calls (x-identity-key)' },
    { name: 'name', summary: 'what viewers read' },
  ],
  options: [
    { flags: '--hosts <names>', summary: 'host names whose pages are its own, separated by commas' },
    {
      flags: '--networks <networks>',
      summary: 'networks of clients that are led to it: 192.0.2.0/24,2001:db8::/32',
    },
  ],
  run: async ({ storefronts }, { arguments: [apiKey = '', name = ''], options }, { report }) => {
    try {
      const { id } = await storefronts.create({
        apiKey,
        name,
        hosts: listOf(options.hosts),
        networks: listOf(options.networks),
      })
      report({ text: `Made the storefront ${apiKey}, number ${id}.` })
    } catch (error) {
      throw error instanceof StorefrontError ? new CommandError(error.message) : error
    }
  },
}

/** `storefronts list`. */
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

function listOf(option: unknown): string[] {
  return typeof option === 'string' ? option.split(',').map((each) => each.trim()) : []
}
