import { type Command, CommandError } from '../../../control/commands.ts'
import { createOperator, listOperators, revokeOperator } from './operators.service.ts'

/** `operators create`: creates an operator, and shows the operator's token for the operator calls. */
export const createOperatorCommand: Command = {
  name: 'operators create',
  summary: 'Create an operator and show their token once.',
  arguments: [{ name: 'name', summary: 'name of the operator, shown in the history of their changes' }],
  run: async ({ db }, { arguments: [name = ''] }, { report }) => {
    if (!/^[\p{L}\d][\p{L}\d .@_-]{0,59}$/u.test(name))
      throw new CommandError('Name the operator with up to 60 letters, digits, dots and dashes.')
    const token = await createOperator(db, name)
    if (token === undefined) throw new CommandError(`There is already an operator ${name}. Revoke it first.`)
    report({
      text: `Created the operator ${name}. The token is shown only once; send it as x-operator-token:`,
    })
    report({ text: token })
  },
}

export const listOperatorsCommand: Command = {
  name: 'operators list',
  summary: 'List the operators.',
  arguments: [],
  run: async ({ db }, _input, { report }) => {
    const all = await listOperators(db)
    if (all.length === 0) report({ text: 'There are no operators. To add one: operators create <name>' })
    for (const { name, createdAt, revokedAt } of all) {
      const end = revokedAt === null ? '' : `, revoked ${new Date(revokedAt).toISOString()}`
      report({ text: `${name}: since ${createdAt.toISOString()}${end}` })
    }
  },
}

export const revokeOperatorCommand: Command = {
  name: 'operators revoke',
  summary: "Revoke an operator's token immediately.",
  arguments: [{ name: 'name', summary: 'name of the operator' }],
  run: async ({ db, clock }, { arguments: [name = ''] }, { report }) => {
    if (!(await revokeOperator(db, name, clock.now())))
      throw new CommandError(`There is no operator ${name} with a token.`)
    report({ text: `Revoked the token of ${name}.` })
  },
}
