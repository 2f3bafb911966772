import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { naturalHeaders, naturalName } from '../../src/schema/natural-name.js';

describe('naturalName', () => {
  it.each([
    ['Home_Town', 'home town'],
    ['homeTown', 'home town'],
    ['HTTPStatus', 'http status'],
    ['GDP', 'gdp'],
    ['Pop.\n[2]', 'pop.'],
    ['  Home   Town: ', 'home town'],
    ['Name†', 'name'],
    ['# of Votes', 'number of votes'],
    ['#', 'number'],
    ['#*', 'number'],
    ['* # of votes', 'number of votes'],
    ['#1 hits', '#1 hits'],
    ['iPhone sales', 'iphone sales'],
    ['e\u0301cole', 'école'],
    ['???', '???'],
    ['', ''],
  ])('reads %j as %j', (header, name) => {
    expect(naturalName(header)).toBe(name);
  });

  it('changes nothing when applied again', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (header) => {
        const once = naturalName(header).toLowerCase();
        fc.pre(once === once.normalize('NFC'));
        expect(naturalName(once)).toBe(once);
      }),
    );
  });
});

describe('naturalHeaders', () => {
  it('drops units, but not where that makes two columns equal or a name empty', () => {
    expect(naturalHeaders(['Area (km²)', 'Name'])).toEqual(['area', 'name']);
    expect(naturalHeaders(['height (m)', 'height (ft)', 'depth (m)'])).toEqual(['height (m)', 'height (ft)', 'depth']);
    expect(naturalHeaders(['(m)', 'area', 'area (ha)'])).toEqual(['(m)', 'area', 'area (ha)']);
  });
});
