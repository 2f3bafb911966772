/** Where an added column goes in its table. */
export const ADD_POSITIONS = ['seeded', 'last'] as const;
export type AddPosition = (typeof ADD_POSITIONS)[number];
