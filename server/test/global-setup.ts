import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { makeTemplates } from './databases.ts'

/** Makes the template databases that API tests copy. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'ondine-template-'))
  project.provide('templates', await makeTemplates(folder))
  return async () => await rm(folder, { recursive: true, force: true })
}
