export const rail = {
  previous: 'Précédents : {{title}}',
  next: 'Suivants : {{title}}',
  all: 'Tout voir',
  allOf: 'Tout voir : {{title}}',
}
