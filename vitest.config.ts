import { globSync, readFileSync } from 'node:fs'
import { configDefaults, defineConfig } from 'vitest/config'

/** How long a busy machine may take until something can be seen. */
const PATIENT = { poll: { timeout: 20_000 } }

/** Files of unit tests that are fast, and that import mostly the same modules. */
const ALIKE = '{contract,media,web}/**/*.test.ts'

/** Those of them that replace modules, or need a document, and so cannot share their modules with other tests. */
const WITH_OWN_MODULES = globSync(ALIKE, { exclude: ['**/node_modules/**'] }).filter((file) =>
  /vi\.(?:mock|hoisted)\(|@vitest-environment/.test(readFileSync(file, 'utf8')),
)

/** One runner for every kind of test; `script/test` runs two of the projects at a time, but browser tests alone. */
export default defineConfig({
  test: {
    reporters: process.env.ONDINE_REPORT
      ? ['default', ['json', { outputFile: `.reports/${process.env.ONDINE_REPORT}.json` }]]
      : ['default'],
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            '{demo,native,tv}/**/*.test.ts',
            ...WITH_OWN_MODULES,
            'server/src/*.test.ts',
            'server/src/{database,documents,files,http,ingest,jobs,metadata,money,outbound,segments,telemetry,time}/**/*.test.ts',
            'script/**/*.test.ts',
          ],
          testTimeout: 30_000,
          hookTimeout: 120_000,
          expect: PATIENT,
          // The tests of live inputs wait for signals most of the time.
          maxWorkers: 2,
          // Projects with a number of workers of their own form a group of their own.
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          name: 'unit-shared',
          include: [ALIKE],
          exclude: [...configDefaults.exclude, ...WITH_OWN_MODULES],
          testTimeout: 30_000,
          expect: PATIENT,
          // To start a process for each file, and to load its modules, took four times as long as the tests.
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 4 },
        },
      },
      {
        test: {
          name: 'api',
          globalSetup: './server/test/global-setup.ts',
          include: ['server/src/{features,control}/**/*.test.ts', 'server/test/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          expect: PATIENT,
          // Each has a service and a database of its own. To load the whole service anew for each file took longer than the tests.
          isolate: false,
        },
      },
      {
        test: {
          name: 'e2e',
          globalSetup: './e2e/src/global-setup.ts',
          include: ['e2e/src/*.test.ts'],
          testTimeout: 300_000,
          hookTimeout: 600_000,
          expect: PATIENT,
          // Each has a service and a browser of its own, and loads the modules of the tests once for all its files.
          isolate: false,
          maxWorkers: process.env.ONDINE_E2E_ORIGIN?.split(',').length ?? 2,
          // Projects with a number of workers of their own form a group of their own.
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'routes',
          globalSetup: './e2e/src/global-setup.ts',
          include: ['e2e/src/rendered/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 600_000,
          expect: PATIENT,
          // One process loads the queries once, and all its files visit one service.
          isolate: false,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
      { test: { name: 'kill', include: ['e2e/src/kill/*.test.ts'], hookTimeout: 600_000 } },
    ],
  },
})
