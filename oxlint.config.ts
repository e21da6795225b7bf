import { defineConfig, type OxlintOverride } from 'oxlint'
import { floorRules, type Pattern, SERVER, WEB } from './script/floors.ts'

/** Restrictions of the whole web. A later entry of `overrides` replaces the restrictions of an earlier one. */
const OF_WEB: Pattern[] = [
  {
    group: ['@tanstack/react-router'],
    importNames: ['Link', 'createLink', 'useLinkProps'],
    message: 'Links are those of design/buttons/link.tsx.',
  },
  { group: ['@ondine/server/*', '@ondine/media/*'], message: 'The web knows only the contract.' },
]

/** Forbids folders of the web that stand above the importing one. */
function above(...folders: string[]): Pattern {
  return {
    group: folders.map((folder) => `**/${folder}/**`),
    message: 'design <- features <- player, shell <- routes.',
  }
}

/** Restricts the imports of some files. */
function restrict(files: string[], ...patterns: Pattern[]): OxlintOverride {
  return { files, rules: { 'no-restricted-imports': ['error', { patterns }] } }
}

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'import', 'react', 'jsx-a11y', 'promise', 'oxc'],
  categories: {
    correctness: 'error',
    suspicious: 'error',
  },
  env: {
    node: true,
    browser: true,
    es2024: true,
  },
  ignorePatterns: ['**/route-tree.gen.ts', 'server/migrations', '**/dist', '**/.output'],
  rules: {
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/no-unsafe-type-assertion': 'off',
    'import/no-cycle': 'error',
    'import/no-default-export': 'off',
    'no-empty': [
      'error',
      {
        allowEmptyCatch: false,
      },
    ],
    'jsx-a11y/no-noninteractive-element-to-interactive-role': [
      'error',
      {
        table: ['grid'],
      },
    ],
    'jsx-a11y/no-autofocus': [
      'error',
      {
        ignoreNonDOM: true,
      },
    ],
    'react/react-in-jsx-scope': 'off',
    'unicorn/no-array-sort': 'off',
    'import/no-unassigned-import': 'off',
    'import/no-named-as-default-member': 'off',
    'typescript/unbound-method': 'off',
    'typescript/no-unnecessary-type-parameters': 'off',
    'no-shadow': 'off',
    'unicorn/consistent-function-scoping': 'off',
  },
  overrides: [
    restrict(['contract/src/**'], {
      group: ['node:*', '@ondine/*'],
      message: 'The contract has no I/O and depends on nothing of ours.',
    }),
    restrict(['media/src/**'], {
      group: ['node:*', '@ondine/server/*', '@ondine/web/*'],
      message: 'media is pure: contract <- media <- server.',
    }),
    restrict(['web/src/**'], ...OF_WEB),
    restrict(['web/src/design/**'], ...OF_WEB, above('features', 'player', 'shell', 'routes')),
    restrict(['web/src/features/**'], ...OF_WEB, above('player', 'shell', 'routes')),
    restrict(['web/src/player/**', 'web/src/shell/**'], ...OF_WEB, above('routes')),
    restrict(['server/src/{database,documents,files,http,jobs,metadata,money,outbound,telemetry,time}/**'], {
      group: ['**/features/**', '**/ingest/**'],
      message: 'ground <- features.',
    }),
    ...floorRules(SERVER),
    ...floorRules(WEB, [...OF_WEB, above('player', 'shell', 'routes')]),
  ],
})
