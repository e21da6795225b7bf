import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import {
  changeConfiguration,
  readConfiguration,
  replaceConfiguration,
} from '@ondine/contract/configuration-calls'
import { encodeInput } from '@ondine/contract/encode-input'
import type { InputOf, Operation, OutputOf } from '@ondine/contract/operation'
import type { Publication } from '@ondine/contract/publication'
import { readMenus, replaceMenus } from '@ondine/contract/publication-calls'
import type { CommandInput } from '@ondine/server/control/commands'
import { runRemotely } from '@ondine/server/control/socket'
import { ONDINE } from './installation.ts'

/** Runs a command of `ondine`, for the service on `dataDir`. @returns its output */
export async function ondine(dataDir: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(ONDINE, args, {
    env: { ...process.env, DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
  })
  return stdout
}

/**
 * Runs a command in the service on `dataDir`, as the program `ondine` does. Starts no process, which would take
 * seconds. Options have no default values here. @returns the command's output
 */
export async function runCommand(
  dataDir: string,
  name: string,
  args: string[],
  options: CommandInput['options'] = {},
): Promise<string> {
  const said: string[] = []
  const done = await runRemotely(
    dataDir,
    name,
    { arguments: args, options },
    { signal: new AbortController().signal, report: ({ text }) => said.push(text) },
  )
  if (!done) throw new Error(`No service runs on ${dataDir}.`)
  return said.join('\n')
}

/** An operator of a storefront, through the operator calls. */
export class Operator {
  readonly #origin: string
  readonly #headers: Record<string, string>

  private constructor(origin: string, headers: Record<string, string>) {
    this.#origin = origin
    this.#headers = headers
  }

  /** Makes an operator of the storefront `apiKey` by the same command as a real installation. */
  static async create(origin: string, dataDir: string, apiKey: string): Promise<Operator> {
    const said = await runCommand(dataDir, 'operators create', [`e2e ${apiKey} ${randomUUID().slice(0, 8)}`])
    const token = said.trim().split('\n').at(-1) ?? ''
    return new Operator(origin, { 'x-operator-token': token, 'x-identity-key': apiKey })
  }

  /** Sets fields of the configuration. */
  async set(values: Record<string, unknown>): Promise<void> {
    const changes = Object.entries(values).map(([path, value]) => ({ path, value }))
    await this.#call(changeConfiguration, { revision: await this.#revision(), changes, reason: '' })
  }

  /** Replaces all set values with `document`. */
  async replace(document: Record<string, unknown>): Promise<void> {
    await this.#call(replaceConfiguration, { revision: await this.#revision(), document, reason: '' })
  }

  /** Returns the set values of the configuration, for a later `replace`. */
  async configured(): Promise<Record<string, unknown>> {
    // The cast is safe, because only objects are ever stored.
    return (await this.#call(readConfiguration, {})).set as Record<string, unknown>
  }

  /** Publishes menus for each named language. Other languages show the menus of the catalogue. */
  async publish(menus: Record<string, Partial<Publication>>): Promise<void> {
    const { revision } = await this.#call(readMenus, {})
    await this.#call(replaceMenus, { revision, document: menus, reason: '' })
  }

  async #revision(): Promise<number> {
    return (await this.#call(readConfiguration, {})).revision
  }

  async #call<O extends Operation>(operation: O, input: InputOf<O>): Promise<OutputOf<O>> {
    const fields = new URLSearchParams(encodeInput(input))
    const isGet = operation.method === 'GET'
    const response = await fetch(`${this.#origin}${operation.path}${isGet ? `?${fields}` : ''}`, {
      method: operation.method,
      headers: this.#headers,
      ...(isGet ? {} : { body: fields }),
    })
    const answer = (await response.json()) as { status: boolean; result: OutputOf<O> }
    if (!answer.status) throw new Error(`${operation.name} failed: ${JSON.stringify(answer)}`)
    return answer.result
  }
}
