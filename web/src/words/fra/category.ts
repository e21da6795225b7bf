export const category = {
  all: 'Tout le catalogue',
  empty: 'Cette rubrique se remplit. Revenez dans un instant.',
  count_one: '{{count}} titre',
  count_other: '{{count}} titres',
}
